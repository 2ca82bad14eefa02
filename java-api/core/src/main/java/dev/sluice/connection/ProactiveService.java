package dev.sluice.connection;

import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import dev.sluice.proactor.Proactor;
import java.net.SocketAddress;
import org.slf4j.LoggerFactory;

/** Begins a service on a new connection of a {@link ProactiveAcceptor} or a {@link ProactiveConnector}. */
@FunctionalInterface
public interface ProactiveService {

    /**
     * Begins it, usually with an {@link dev.sluice.proactor.AsyncStream}. Called by a thread that runs the proactor. If
     * other threads run it as well, the hook for what this method starts may be called before this method returns, so
     * starting the first operation must be the last thing it does.
     *
     * @param proactor to live on
     * @param stream   the connection, owned by the service from now on, unless this throws
     * @throws Exception if it cannot; the connection is closed
     */
    void open(Proactor proactor, SocketStream stream) throws Exception;

    /**
     * There is no connection: a {@link ProactiveConnector} calls this instead of {@link #open}. By default it logs a
     * warning. What it throws is logged.
     *
     * @param proactor the proactor that would have run it; may be used to try again, unless it is closed
     * @param address  that of the peer
     * @param cause    why, such as a refusal, a {@link java.net.SocketTimeoutException}, or a
     *                 {@link java.util.concurrent.CancellationException} if the attempt was cancelled; its message
     *                 names the address
     */
    default void connectFailed(Proactor proactor, SocketAddress address, Exception cause) {
        HookFailure.log(LoggerFactory.getLogger(ProactiveService.class), this, "the attempt to connect", cause);
    }
}
