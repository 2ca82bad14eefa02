package dev.sluice.proactor;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.eventloop.spi.LoopThread;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What the waits of a proactor bring: a batch for each thread that runs the loop, and another one for each of its hooks
 * that runs the loop, since waiting with the same batch would give back the buffers and the handles of the hook.
 *
 * <p>The {@link LoopThread} has the innermost batch of its thread. Where one thread runs the loop, all batches are kept
 * for its next hooks. Where many do, a batch is made when a thread first waits and closed when the thread leaves, or
 * the hook returns: a kept batch would hold its handles from all other threads.
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
    /** Left by threads that a failure has thrown out of the loop, if there are many. */
    private final Queue<CompletionBatch> unfinished = new ConcurrentLinkedQueue<>();

    CompletionBatches(AsynchronousEventDemultiplexer demultiplexer, boolean multiThreaded, DispatchTrace trace) {
        this.demultiplexer = demultiplexer;
        this.multiThreaded = multiThreaded;
        this.trace = trace;
        this.first = newBatch(null);
    }

    private CompletionBatch newBatch(CompletionBatch outer) {
        int capacity = multiThreaded ? CAPACITY_OF_MANY : CAPACITY_OF_ONE;
        return new CompletionBatch(demultiplexer, capacity, outer, trace);
    }

    /** {@return the innermost batch of the thread, null if it has none} */
    private static CompletionBatch innermost(LoopThread thread) {
        return (CompletionBatch) thread.batch();
    }

    /**
     * Waits for completions, which the calling thread must then dispatch.
     *
     * @param thread       the calling thread
     * @param timeoutNanos in nanoseconds; negative means forever
     * @return the number of completions
     * @throws IOException if the system call fails
     */
    int await(LoopThread thread, long timeoutNanos) throws IOException {
        CompletionBatch batch = innermost(thread);
        CompletionBatch left = multiThreaded ? unfinished.poll() : null;
        if (left != null) {
            thread.keep(left.inside(batch));
            return 1;
        }
        if (batch == null || batch.isDispatching()) {
            batch = inner(batch);
            thread.keep(batch);
        }
        return batch.await(timeoutNanos);
    }

    private CompletionBatch inner(CompletionBatch outer) {
        if (multiThreaded) {
            return newBatch(outer);
        }
        if (outer == null) {
            return first;
        }
        if (outer.inner == null) {
            outer.inner = newBatch(outer);
        }
        return outer.inner;
    }

    /**
     * Dispatches the completions that the calling thread has collected and not dispatched yet.
     *
     * @param thread the calling thread
     * @return the number of hooks called
     */
    int dispatch(LoopThread thread) {
        int count = 0;
        CompletionBatch batch = innermost(thread);
        while (batch != null) {
            count += batch.dispatch();
            // A hook that has run the loop may have left one.
            if (batch == innermost(thread)) {
                if (batch.isDispatching() || batch.outer() == null) {
                    return count;
                }
                leave(batch);
                thread.keep(batch.outer());
            }
            batch = innermost(thread);
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
    boolean hasRest(LoopThread thread) {
        CompletionBatch batch = innermost(thread);
        return batch != null && batch.hasRest() || !unfinished.isEmpty();
    }

    /** The calling thread, one of many, no longer runs the loop. What there is no memory to leave stays with it. */
    void leave(LoopThread thread) {
        boolean rest = false;
        CompletionBatch batch = innermost(thread);
        while (batch != null) {
            CompletionBatch outer = batch.outer();
            if (batch.hasRest()) {
                unfinished.add(batch);
                rest = true;
                thread.keep(outer);
            } else {
                thread.keep(outer);
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
    void beginEnd(LoopThread thread) {
        if (innermost(thread) == null) {
            thread.keep(first);
        }
    }

    /** Closes the batches of a thread, when no thread runs the loop any more. */
    void close(LoopThread thread) {
        for (CompletionBatch batch = innermost(thread); batch != null; batch = batch.outer()) {
            batch.close();
        }
        thread.keep(null);
    }

    /** Closes all batches that no thread has. */
    void close() {
        unfinished.forEach(CompletionBatch::close);
        for (CompletionBatch batch = first; batch != null; batch = batch.inner) {
            batch.close();
        }
    }
}
