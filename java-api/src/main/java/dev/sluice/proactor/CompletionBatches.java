package dev.sluice.proactor;

import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What the waits of a proactor bring: a batch for each thread that runs the loop, and another one for each of its hooks
 * that runs the loop, since waiting with the same batch would give back the buffers and the handles of the hook.
 *
 * <p>Where one thread runs the loop, its batches are kept. Where many do, a batch is made when a thread first waits and
 * closed when the thread leaves, or the hook returns: a kept batch would hold its handles from all other threads.
 */
final class CompletionBatches {

    /** Maximum number of completions that one wait brings. No other thread could take what the loop thread leaves. */
    private static final int CAPACITY_OF_ONE = 512;
    /**
     * The same where many threads wait. What a thread has taken waits until the hooks before it have returned, and so
     * do all further completions of these handles, however many threads are idle. With 8, hooks that compute for 100
     * microseconds were served more slowly, and in the worst hundredth of cases three times as late; the only gain was
     * less processor time for hooks that do next to nothing.
     */
    private static final int CAPACITY_OF_MANY = 1;

    private final AsynchronousEventDemultiplexer demultiplexer;
    private final DispatchTrace trace;
    private final boolean multiThreaded;
    /**
     * The outermost batch of the one loop thread; where there are many, of the thread that ends everything: handlers
     * must be notified of the end even when there is no memory for another batch.
     */
    private final CompletionBatch first;
    /** The innermost batch of the one loop thread. */
    private CompletionBatch innermost;
    /** The innermost batch of each of many threads. */
    private final ThreadLocal<CompletionBatch> innermostOfEach = new ThreadLocal<>();
    /** Left by threads that a failure has thrown out of the loop, if there are many. */
    private final Queue<CompletionBatch> unfinished = new ConcurrentLinkedQueue<>();

    CompletionBatches(AsynchronousEventDemultiplexer demultiplexer, boolean multiThreaded, DispatchTrace trace) {
        this.demultiplexer = demultiplexer;
        this.multiThreaded = multiThreaded;
        this.trace = trace;
        this.first = newBatch(null);
        this.innermost = first;
    }

    private CompletionBatch newBatch(CompletionBatch outer) {
        int capacity = multiThreaded ? CAPACITY_OF_MANY : CAPACITY_OF_ONE;
        return new CompletionBatch(demultiplexer, capacity, outer, trace);
    }

    /** {@return the innermost batch of the calling thread, null if it is one of many and has none} */
    private CompletionBatch innermost() {
        return multiThreaded ? innermostOfEach.get() : innermost;
    }

    private void use(CompletionBatch batch) {
        if (multiThreaded) {
            innermostOfEach.set(batch);
        } else {
            innermost = batch;
        }
    }

    /**
     * Waits for completions, which the calling thread must then dispatch.
     *
     * @param timeoutNanos in nanoseconds; negative means forever
     * @return the number of completions
     * @throws IOException if the system call fails
     */
    int await(long timeoutNanos) throws IOException {
        CompletionBatch batch = innermost();
        CompletionBatch left = multiThreaded ? unfinished.poll() : null;
        if (left != null) {
            use(left.inside(batch));
            return 1;
        }
        if (batch == null || batch.isDispatching()) {
            batch = inner(batch);
            use(batch);
        }
        return batch.await(timeoutNanos);
    }

    private CompletionBatch inner(CompletionBatch outer) {
        if (multiThreaded) {
            return newBatch(outer);
        }
        if (outer.inner == null) {
            outer.inner = newBatch(outer);
        }
        return outer.inner;
    }

    /**
     * Dispatches the completions that the calling thread has collected and not dispatched yet.
     *
     * @return the number of hooks called
     */
    int dispatch() {
        int count = 0;
        CompletionBatch batch = innermost();
        while (batch != null) {
            count += batch.dispatch();
            // A hook that has run the loop may have left one.
            if (batch == innermost()) {
                if (batch.isDispatching() || batch.outer() == null) {
                    return count;
                }
                leave(batch);
                use(batch.outer());
            }
            batch = innermost();
        }
        return count;
    }

    private void leave(CompletionBatch batch) {
        if (multiThreaded) {
            batch.close();
        } else {
            batch.clear();
        }
    }

    /** {@return whether completions have been collected that no thread is dispatching} */
    boolean hasRest() {
        CompletionBatch batch = innermost();
        return batch != null && batch.hasRest() || !unfinished.isEmpty();
    }

    /** The calling thread, one of many, no longer runs the loop. */
    void leave() {
        boolean rest = false;
        CompletionBatch batch = innermost();
        innermostOfEach.remove();
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

    /**
     * The calling thread, the only one inside the loop, is about to end everything in flight, even if there is no
     * memory.
     */
    void beginEnd() {
        if (innermost() == null) {
            use(first);
        }
    }

    /** Closes all batches, when no thread runs the loop any more. */
    void close() {
        if (multiThreaded) {
            leave();
            unfinished.forEach(CompletionBatch::close);
        }
        for (CompletionBatch batch = first; batch != null; batch = batch.inner) {
            batch.close();
        }
    }
}
