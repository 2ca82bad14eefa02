package dev.sluice.reactor;

import dev.sluice.demultiplexer.ReadyHandles;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import java.io.IOException;

/** The batch of the one loop thread, also for hooks that run the loop. */
final class SoleReadyBatch implements ReadyBatches {

    private static final int CAPACITY = 512;

    private final SynchronousEventDemultiplexer demultiplexer;
    private final ReadyHandles ready;
    /** How much of the batch has been dispatched. */
    private int dispatched;

    SoleReadyBatch(SynchronousEventDemultiplexer demultiplexer) {
        this.demultiplexer = demultiplexer;
        this.ready = demultiplexer.newReadyHandles(CAPACITY);
    }

    @Override
    public int await(long timeoutNanos) throws IOException {
        // Not left to the wait: if it fails, nothing must be dispatched a second time.
        ready.clear();
        dispatched = 0;
        return demultiplexer.awaitReady(ready, timeoutNanos);
    }

    @Override
    public int dispatch() {
        int count = 0;
        // Both are fields because a handler may run the loop itself, which refills the batch and dispatches it.
        while (dispatched < ready.size()) {
            int index = dispatched++;
            // Even if none of its events is wanted any more, because a one-shot handle must be rearmed.
            count += ((SoleEntry) ready.registration(index).attachment()).dispatch(ready.events(index));
        }
        return count;
    }

    @Override
    public void close() {
        ready.close();
    }
}
