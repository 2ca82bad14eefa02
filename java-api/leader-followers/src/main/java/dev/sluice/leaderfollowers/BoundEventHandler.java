package dev.sluice.leaderfollowers;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import java.io.EOFException;
import org.jspecify.annotations.Nullable;

/** The paper's Bound_LF_Event_Handler: notifies a pool when the connection that its threads share has ended. */
final class BoundEventHandler implements EventHandler {

    private final BoundLeaderFollowersPool<?> pool;
    private final EventHandler connection;
    private @Nullable Throwable failure;

    BoundEventHandler(BoundLeaderFollowersPool<?> pool, EventHandler connection) {
        this.pool = pool;
        this.connection = connection;
    }

    @Override
    public boolean isConcurrent() {
        return connection.isConcurrent();
    }

    @Override
    public void handleInput(Registration registration) throws Exception {
        connection.handleInput(registration);
    }

    @Override
    public void handleOutput(Registration registration) throws Exception {
        connection.handleOutput(registration);
    }

    @Override
    public void handleException(Registration registration) throws Exception {
        connection.handleException(registration);
    }

    @Override
    public void handleIdle(Registration registration, Interest direction) throws Exception {
        connection.handleIdle(registration, direction);
    }

    @Override
    public void handleFailure(@Nullable Registration registration, Throwable cause) {
        failure = cause;
        connection.handleFailure(registration, cause);
    }

    @Override
    public void handleClose(Registration registration) throws Exception {
        try {
            pool.lose(failure != null ? failure
                    : new EOFException(registration.handle() + " is closed, or its registration was"));
        } finally {
            connection.handleClose(registration);
        }
    }

    @Override
    public String toString() {
        return connection.toString();
    }
}
