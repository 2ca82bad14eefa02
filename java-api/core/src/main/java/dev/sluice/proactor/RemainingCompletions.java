package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/** Closes a demultiplexer, and dispatches the completions that the close has left. */
final class RemainingCompletions implements AutoCloseable {

    private final AsynchronousEventDemultiplexer demultiplexer;
    /** Those that have not been dispatched; there may be no memory for more objects when they arrive. */
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
            // If waits have failed, the handlers of these operations are not called by anything else.
            while (!rest.isEmpty()) {
                CompletionBatches.OfThread.dispatch(rest.remove(), null);
            }
        }
    }
}
