package dev.sluice.connection;

import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.Proactor;

/** Begins a service on a new connection of a {@link ProactiveAcceptor}. */
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
}
