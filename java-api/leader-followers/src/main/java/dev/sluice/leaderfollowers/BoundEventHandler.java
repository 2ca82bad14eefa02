package dev.sluice.leaderfollowers;

import dev.sluice.handle.Handle;
import dev.sluice.reactor.EventHandler;
import java.io.EOFException;

/** The paper's Bound_LF_Event_Handler: notifies a pool when the connection that its threads share has ended. */
final class BoundEventHandler implements EventHandler {

    private final BoundLeaderFollowersPool<?> pool;
    private final EventHandler connection;
    private Throwable failure;

    BoundEventHandler(BoundLeaderFollowersPool<?> pool, EventHandler connection) {
        this.pool = pool;
        this.connection = connection;
    }

    @Override
    public Handle handle() {
        return connection.handle();
    }

    @Override
    public boolean isConcurrent() {
        return connection.isConcurrent();
    }

    @Override
    public void handleInput(Handle handle) throws Exception {
        connection.handleInput(handle);
    }

    @Override
    public void handleOutput(Handle handle) throws Exception {
        connection.handleOutput(handle);
    }

    @Override
    public void handleException(Handle handle) throws Exception {
        connection.handleException(handle);
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        failure = cause;
        connection.handleFailure(handle, cause);
    }

    @Override
    public void handleClose(Handle handle, int events) throws Exception {
        try {
            pool.lose(failure != null ? failure : new EOFException(handle + " is closed, or was removed"));
        } finally {
            connection.handleClose(handle, events);
        }
    }

    @Override
    public String toString() {
        return connection.toString();
    }
}
