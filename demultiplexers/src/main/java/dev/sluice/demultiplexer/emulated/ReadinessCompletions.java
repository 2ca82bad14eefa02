package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.CollectedCompletions;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;

/** Completions, and the ready handles that they come from. */
final class ReadinessCompletions extends CollectedCompletions {

    /** So that one thread does not take everything while others sleep. */
    private static final int MOST = 128;

    private final ReadyBatch ready;

    ReadinessCompletions(ConcurrentEmulatedDemultiplexer demultiplexer, SynchronousEventDemultiplexer readiness,
            int capacity) {
        super(demultiplexer, capacity);
        ready = readiness.newReadyBatch(Math.min(capacity, MOST));
    }

    ReadyBatch ready() {
        return ready;
    }

    @Override
    public void close() {
        super.close();
        ready.close();
    }
}
