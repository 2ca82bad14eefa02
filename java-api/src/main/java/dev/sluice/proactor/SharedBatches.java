package dev.sluice.proactor;

import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A batch for each thread that runs the loop, and another one for each of its hooks that runs the loop, since waiting
 * with the same batch would let other threads have the handles whose hooks have not returned.
 *
 * <p>A batch is made when a thread enters the loop and closed when it leaves. Keeping it for the next thread would
 * withhold its handles from all other threads until that thread comes.
 */
final class SharedBatches implements Batches {

    /**
     * The most completions that a thread takes at once. What it has taken waits until the hooks before it have
     * returned, and so do all further completions of these handles, however many threads are idle. With 8, hooks that
     * compute for 100 microseconds were served more slowly, and in the worst hundredth of cases three times as late;
     * the only gain was less processor time for hooks that do next to nothing.
     */
    private static final int CAPACITY = 1;

    private final AsynchronousEventDemultiplexer demultiplexer;
    private final DispatchTrace trace;
    /** Each thread's innermost batch. */
    private final ThreadLocal<CompletionBatch> innermost = new ThreadLocal<>();
    /** Left behind by threads that a failure has thrown out of the loop. */
    private final Queue<CompletionBatch> unfinished = new ConcurrentLinkedQueue<>();
    /**
     * For the thread that ends everything: the handlers must hear of it even when there is no memory for another batch.
     */
    private final CompletionBatch last;

    SharedBatches(AsynchronousEventDemultiplexer demultiplexer, DispatchTrace trace) {
        this.demultiplexer = demultiplexer;
        this.trace = trace;
        this.last = new CompletionBatch(demultiplexer, CAPACITY, null, trace);
    }

    @Override
    public int await(long timeoutNanos) throws IOException {
        CompletionBatch batch = innermost.get();
        CompletionBatch left = unfinished.poll();
        if (left != null) {
            innermost.set(left.inside(batch));
            return 1;
        }
        if (batch == null || batch.isDispatching()) {
            batch = new CompletionBatch(demultiplexer, CAPACITY, batch, trace);
            innermost.set(batch);
        }
        return batch.await(timeoutNanos);
    }

    @Override
    public int dispatch() {
        int count = 0;
        CompletionBatch batch = innermost.get();
        while (batch != null) {
            count += batch.dispatch();
            // A hook that has run the loop may have left one.
            if (batch == innermost.get()) {
                if (batch.isDispatching() || batch.outer() == null) {
                    return count;
                }
                batch.close();
                innermost.set(batch.outer());
            }
            batch = innermost.get();
        }
        return count;
    }

    @Override
    public boolean hasRest() {
        CompletionBatch batch = innermost.get();
        return batch != null && batch.hasRest() || !unfinished.isEmpty();
    }

    @Override
    public void leave() {
        boolean rest = false;
        CompletionBatch batch = innermost.get();
        innermost.remove();
        while (batch != null) {
            CompletionBatch outer = batch.outer();
            if (batch.hasRest()) {
                rest = true;
                unfinished.add(batch);
            } else {
                batch.close();
            }
            batch = outer;
        }
        if (rest) {
            demultiplexer.wakeUp();
        }
    }

    @Override
    public void beginEnd() {
        innermost.set(last);
    }

    @Override
    public void close() {
        leave();
        unfinished.forEach(CompletionBatch::close);
    }
}
