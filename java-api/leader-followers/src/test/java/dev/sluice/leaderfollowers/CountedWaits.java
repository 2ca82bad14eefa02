package dev.sluice.leaderfollowers;

import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Handle;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the waits on a handle set, and how many threads there are inside one at most. */
final class CountedWaits implements SynchronousEventDemultiplexer {

    private final SynchronousEventDemultiplexer handleSet;
    private final AtomicInteger waits = new AtomicInteger();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger maxInside = new AtomicInteger();

    CountedWaits(SynchronousEventDemultiplexer handleSet) {
        this.handleSet = handleSet;
    }

    int waits() {
        return waits.get();
    }

    int maxInside() {
        return maxInside.get();
    }

    @Override
    public String name() {
        return handleSet.name();
    }

    @Override
    public HandleSetKind handleSetKind() {
        return handleSet.handleSetKind();
    }

    @Override
    public Trigger trigger() {
        return handleSet.trigger();
    }

    @Override
    public ReadyBatch newReadyBatch(int capacity) {
        return handleSet.newReadyBatch(capacity);
    }

    @Override
    public Membership register(Handle handle, int events, Object attachment) throws IOException {
        return handleSet.register(handle, events, attachment);
    }

    @Override
    public int awaitReady(ReadyBatch ready, long timeoutNanos) throws IOException {
        waits.incrementAndGet();
        maxInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
        try {
            return handleSet.awaitReady(ready, timeoutNanos);
        } finally {
            inside.decrementAndGet();
        }
    }

    @Override
    public void wakeUp() {
        handleSet.wakeUp();
    }

    @Override
    public void close() {
        handleSet.close();
    }
}
