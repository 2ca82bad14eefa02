package dev.sluice.connection;

import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import org.slf4j.Logger;

/** The end of a connection that has been accepted and that no service could be begun on. */
final class Unserved {

    private Unserved() {
    }

    /**
     * Closes it. Does not throw: whatever is wrong costs this connection, and not those that are accepted after it.
     *
     * @param logger   of the acceptor
     * @param acceptor named in the log
     * @param stream   the connection
     * @param cause    why it is not served
     */
    static void close(Logger logger, Object acceptor, SocketStream stream, Throwable cause) {
        HookFailure.log(logger, acceptor, stream, cause);
        try {
            stream.close();
        } catch (Throwable e) {
            HookFailure.log(logger, acceptor, stream, e);
        }
    }
}
