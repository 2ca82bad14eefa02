package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/** Closes a demultiplexer, and dispatches the remaining completions. */
final class RemainingCompletions implements AutoCloseable {

    private final AsynchronousEventDemultiplexer demultiplexer;
    /** Completions that have not been dispatched. Allocated in advance, because there may be no memory at the close. */
    private final Queue<Completion> rest = new ArrayDeque<>();
    private final Consumer<Completion> takingRest = rest::add;

    RemainingCompletions(AsynchronousEventDemultiplexer demultiplexer) {
        this.demultiplexer = demultiplexer;
    }

    @Override
    public void close() {
        try {
            demultiplexer.close(takingRest);
        } finally {
            // If waits have failed, the handlers of these operations have not been called.
            while (!rest.isEmpty()) {
                CompletionBatches.OfThread.dispatch(rest.remove(), null);
            }
        }
    }
}
