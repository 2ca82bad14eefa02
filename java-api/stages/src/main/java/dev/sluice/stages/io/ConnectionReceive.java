package dev.sluice.stages.io;

import dev.sluice.demultiplexer.Completion;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The receive of a connection: starts and cancels the operation. Used by any thread. {@link ReceiveState} has the
 * states and their transitions.
 */
final class ConnectionReceive {

    private static final long NO_TICKET = -1;

    private final AsyncConnection connection;
    private final AtomicReference<ReceiveState> state = new AtomicReference<>(ReceiveState.IDLE);
    private volatile long ticket = NO_TICKET;

    ConnectionReceive(AsyncConnection connection) {
        this.connection = connection;
    }

    /** Starts a receive, unless the state has changed. Called by the thread that serves. */
    void start(ReceiveState from, @Nullable ByteBuffer destination) {
        if (state.get() == from && connection.isOpen() && state.compareAndSet(from, ReceiveState.RECEIVING)) {
            receive(destination);
        }
    }

    /** Receives. Called by the thread that has changed the state to one with a receive in flight. */
    private void receive(@Nullable ByteBuffer destination) {
        try {
            ticket = destination == null ? connection.async.receiveContinuously(null)
                    : connection.async.receive(destination, null);
        } catch (RuntimeException | Error e) {
            // No completion follows. The caller closes the connection.
            state.set(ReceiveState.STOPPED);
            throw e;
        }
        if (state().isCancelling()) {
            cancelReceive();
        }
    }

    ReceiveState state() {
        ReceiveState now = state.get();
        assert now != null;
        return now;
    }

    private void cancelReceive() {
        if (ticket != NO_TICKET) {
            connection.async.cancel(ticket);
        }
    }

    void stop() {
        cancelBy(ReceiveState::stop);
    }

    void pause() {
        cancelBy(ReceiveState::pause);
    }

    private void cancelBy(UnaryOperator<ReceiveState> transition) {
        if (state.getAndUpdate(transition) == ReceiveState.RECEIVING) {
            cancelReceive();
        }
    }

    /** See {@link ConnectionReading#discard}. */
    void discard() {
        ReceiveState before = state.getAndUpdate(ReceiveState::discard);
        if (before == ReceiveState.INPUT_ENDED) {
            connection.close();
        } else if (before != ReceiveState.CLOSED && !before.isInFlight()) {
            receive(null);
        }
    }

    /** See {@link ConnectionReading#close}. */
    void close() {
        ReceiveState before = state.getAndUpdate(ReceiveState::close);
        if (before != ReceiveState.CLOSED && !before.isInFlight()) {
            connection.finish();
        }
    }

    /**
     * Called when the operation has ended.
     *
     * @return the state before
     */
    ReceiveState ended(Completion completion) {
        ReceiveState before = state.getAndUpdate(completion.isEndOfStream() ? ReceiveState::inputEnded
                : completion.isSuccess() ? ReceiveState::completed : ReceiveState::cancelled);
        assert before != null;
        return before;
    }
}
