package dev.sluice.proactor;

import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;

/**
 * The batch of the one loop thread, and another one for each of its hooks that runs the loop: waiting with the same
 * batch would give back the buffers that the hook was given. These are made when they are first needed, and kept.
 */
final class SoleBatches implements Batches {

    /** The most completions that one wait brings. No other thread could take what the loop thread leaves. */
    private static final int CAPACITY = 512;

    private final AsynchronousEventDemultiplexer demultiplexer;
    private final DispatchTrace trace;
    private final CompletionBatch outermost;
    private CompletionBatch innermost;

    SoleBatches(AsynchronousEventDemultiplexer demultiplexer, DispatchTrace trace) {
        this.demultiplexer = demultiplexer;
        this.trace = trace;
        outermost = new CompletionBatch(demultiplexer, CAPACITY, null, trace);
        innermost = outermost;
    }

    @Override
    public int await(long timeoutNanos) throws IOException {
        if (innermost.isDispatching()) {
            if (innermost.inner == null) {
                innermost.inner = new CompletionBatch(demultiplexer, CAPACITY, innermost, trace);
            }
            innermost = innermost.inner;
        }
        return innermost.await(timeoutNanos);
    }

    @Override
    public int dispatch() {
        int count = innermost.dispatch();
        while (innermost != outermost && !innermost.isDispatching()) {
            innermost.clear();
            innermost = innermost.outer();
        }
        return count;
    }

    @Override
    public boolean hasRest() {
        return innermost.hasRest();
    }

    @Override
    public void close() {
        for (CompletionBatch batch = outermost; batch != null; batch = batch.inner) {
            batch.close();
        }
    }
}
