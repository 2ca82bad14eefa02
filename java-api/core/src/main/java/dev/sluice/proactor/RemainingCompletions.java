package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Closes a demultiplexer, and dispatches the remaining completions. */
final class RemainingCompletions implements AutoCloseable {

    /** The number of completions that need no memory at the close. */
    static final int CAPACITY = 16;

    private final AsynchronousEventDemultiplexer demultiplexer;
    /**
     * Completions that no wait has collected. Allocated in advance, because there may be no memory at the close; with
     * an explicit capacity, because a list without one allocates nothing before its first element. A list, because a
     * deque loses its elements if there is no memory for another one. The demultiplexer keeps a completion that could
     * not be added, and passes it again when it is closed again.
     */
    private final List<Completion> rest = new ArrayList<>(CAPACITY);
    private final Consumer<Completion> takingRest = rest::add;
    /** The number of these that have been dispatched. */
    private int dispatched;

    RemainingCompletions(AsynchronousEventDemultiplexer demultiplexer) {
        this.demultiplexer = demultiplexer;
    }

    @Override
    public void close() {
        try {
            demultiplexer.close(takingRest);
        } finally {
            // If waits have failed, the handlers of these operations have not been called.
            while (dispatched < rest.size()) {
                CompletionBatches.OfThread.dispatch(rest.get(dispatched++), null);
            }
            rest.clear();
            dispatched = 0;
        }
    }
}
