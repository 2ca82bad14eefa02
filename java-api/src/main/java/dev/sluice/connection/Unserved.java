package dev.sluice.connection;

import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import org.slf4j.Logger;

/**
 * What becomes of a connection that has been accepted and that no service could be begun on. An acceptor makes it
 * before there is one: a class that is first needed for want of memory cannot be loaded.
 */
final class Unserved {

    private final Logger logger;
    private final Object acceptor;

    /**
     * Closes nothing yet.
     *
     * @param logger   of the acceptor
     * @param acceptor named in the log
     */
    Unserved(Logger logger, Object acceptor) {
        this.logger = logger;
        this.acceptor = acceptor;
        HookFailure.prepare();
    }

    /**
     * Closes it. Does not throw: whatever is wrong costs this connection, and not those that are accepted after it.
     *
     * @param stream the connection
     * @param cause  why it is not served
     */
    void close(SocketStream stream, Throwable cause) {
        // First, because it needs no memory and the log does.
        try {
            stream.close();
        } catch (Throwable e) {
            HookFailure.log(logger, acceptor, stream, e);
        }
        HookFailure.log(logger, acceptor, stream, cause);
    }
}
