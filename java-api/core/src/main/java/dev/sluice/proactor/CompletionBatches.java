package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.eventloop.spi.EventBatch;
import dev.sluice.handle.Handle;
import dev.sluice.hook.HookFailure;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What the waits of a proactor bring: a batch for each thread that runs the loop, and another one for each of its hooks
 * that runs the loop, since waiting with the same batch would release the buffers and the handles of the hook. Such a
 * hook dispatches the rest of its batch, and then waits with the other one. Both leave out what belongs to the handle
 * that the hook was called for.
 *
 * <p>A thread dispatches and waits with its innermost batch. Where one thread runs the loop, all batches are kept for
 * its next hooks. Where many do, a batch is made when a thread first waits and closed when the thread leaves, or the
 * hook returns: a kept batch would hold its handles from all other threads.
 */
final class CompletionBatches {

    private static final int NONE = -1;
    /** Maximum number of completions that one wait brings. No other thread could take what the loop thread leaves. */
    private static final int CAPACITY_OF_ONE = 512;
    /**
     * The same where many threads wait. What a thread has taken waits until the hooks before it have returned, and so
     * do all further completions of these handles, however many threads are idle. With 8, hooks that compute for 100
     * microseconds were served more slowly, and in the worst hundredth of cases three times as late; the only gain was
     * less processor time for hooks that do next to nothing.
     */
    private static final int CAPACITY_OF_MANY = 1;

    /** What the call of a hook is named in a trace: which hook depends on the type, unless the handler decides. */
    private static final Map<OperationType, String> TRACED = new EnumMap<>(OperationType.class);

    static {
        for (OperationType type : OperationType.values()) {
            TRACED.put(type, "handleCompletion(" + type + ")");
        }
    }

    private final AsynchronousEventDemultiplexer demultiplexer;
    private final @Nullable DispatchTrace trace;
    private final boolean multiThreaded;
    /**
     * Those of the one loop thread; where there are many, of a thread that ends everything without having waited:
     * handlers must be notified of the end even when there is no memory for another batch.
     */
    private final OfThread first;
    /** Left by threads that a failure has thrown out of the loop, if there are many. */
    private final Queue<Batch> unfinished = new ConcurrentLinkedQueue<>();

    CompletionBatches(AsynchronousEventDemultiplexer demultiplexer, boolean multiThreaded,
            @Nullable DispatchTrace trace) {
        this.demultiplexer = demultiplexer;
        this.multiThreaded = multiThreaded;
        this.trace = trace;
        this.first = new OfThread(newBatch(null));
    }

    /** What one wait has brought, and how much of it has been dispatched. Belongs to one thread. */
    private static final class Batch {

        final Completions completions;
        /** The batch whose hook runs the loop in which this one is used, or null. */
        @Nullable Batch outer;
        /** The batch of hooks of this one that run the loop, if it is kept for the next such hook; or null. */
        @Nullable Batch inner;
        int dispatched;
        /** The completion whose hook is being called, the innermost if there are several. */
        int current = NONE;
        /** Whether that hook, or one inside of it, has run the loop. */
        boolean deferring;
        /** Those after {@link #dispatched} that hooks that run the loop have dispatched; null if no hook has. */
        @Nullable BitSet ahead;

        Batch(Completions completions, @Nullable Batch outer) {
            this.completions = completions;
            this.outer = outer;
        }
    }

    private Batch newBatch(@Nullable Batch outer) {
        return new Batch(demultiplexer.newCompletions(multiThreaded ? CAPACITY_OF_MANY : CAPACITY_OF_ONE), outer);
    }

    /** {@return those of a thread that is about to wait for the first time} */
    OfThread newThread() {
        return multiThreaded ? new OfThread(null) : first;
    }

    /**
     * {@return those of a thread that is about to end everything in flight, even if there is no memory}
     *
     * @param own those that it has waited with, or null
     */
    OfThread ofEnd(@Nullable EventBatch own) {
        return own instanceof OfThread batches && batches.innermost != null ? batches : first;
    }

    /** Closes all batches that no thread has. */
    void close() {
        unfinished.forEach(batch -> batch.completions.close());
        first.close();
    }

    /** The batches of one thread. */
    final class OfThread implements EventBatch {

        /** The outermost one, if it is kept. */
        private final @Nullable Batch kept;
        /** Null if there is none. */
        private @Nullable Batch innermost;

        private OfThread(@Nullable Batch kept) {
            this.kept = kept;
        }

        @Override
        public int await(long timeoutNanos) throws IOException {
            Batch left = multiThreaded ? unfinished.poll() : null;
            if (left != null) {
                left.outer = innermost;
                innermost = left;
                return 1;
            }
            if (innermost == null || innermost.current != NONE) {
                innermost = inner(innermost);
            }
            // Not left to the wait: if it fails, nothing must be dispatched a second time.
            clear(innermost);
            return demultiplexer.awaitCompletions(innermost.completions, timeoutNanos);
        }

        private Batch inner(@Nullable Batch outer) {
            if (outer == null && kept != null) {
                return kept;
            }
            if (multiThreaded) {
                return newBatch(outer);
            }
            // That of a loop thread is kept.
            assert outer != null;
            if (outer.inner == null) {
                outer.inner = newBatch(outer);
            }
            return outer.inner;
        }

        @Override
        public int dispatch() {
            int count = 0;
            Batch batch = innermost;
            while (batch != null) {
                count += dispatch(batch);
                // A hook that has run the loop may have left one.
                if (batch == innermost) {
                    if (batch.current != NONE || batch.outer == null) {
                        return count;
                    }
                    leave(batch);
                    innermost = batch.outer;
                }
                batch = innermost;
            }
            return count;
        }

        private void leave(Batch batch) {
            if (multiThreaded) {
                batch.completions.close();
            } else {
                clear(batch);
            }
        }

        /** {@return whether completions have been collected that no thread is dispatching} */
        boolean hasRest() {
            return innermost != null && hasRest(innermost) || !unfinished.isEmpty();
        }

        /** {@inheritDoc} What there is no memory to leave stays with the thread. */
        @Override
        public void leave() {
            boolean rest = false;
            Batch batch = innermost;
            while (batch != null) {
                Batch outer = batch.outer;
                if (hasRest(batch)) {
                    unfinished.add(batch);
                    rest = true;
                    innermost = outer;
                } else {
                    innermost = outer;
                    batch.completions.close();
                }
                batch = outer;
            }
            if (rest) {
                demultiplexer.wakeUp();
            }
        }

        @Override
        public void close() {
            for (Batch batch = innermost; batch != null; batch = batch.outer) {
                batch.completions.close();
            }
            innermost = null;
            for (Batch batch = kept; batch != null; batch = batch.inner) {
                batch.completions.close();
            }
        }

        private static boolean hasRest(Batch batch) {
            return batch.dispatched < batch.completions.size();
        }

        private static void clear(Batch batch) {
            batch.completions.clear();
            batch.dispatched = 0;
            if (batch.ahead != null) {
                batch.ahead.clear();
            }
        }

        // Dispatching

        private int dispatch(Batch batch) {
            return batch.current == NONE ? dispatchRest(batch) : dispatchAhead(batch);
        }

        private int dispatchRest(Batch batch) {
            int count = 0;
            // A field because a hook may run the loop itself, which dispatches what comes after it.
            while (hasRest(batch)) {
                int index = batch.dispatched++;
                if (batch.ahead == null || !batch.ahead.get(index)) {
                    count++;
                    dispatch(batch, index);
                }
            }
            return count;
        }

        /**
         * The current hook runs the loop. What belongs to its handle, or to those of the hooks around it, is left,
         * unless they are re-entrant.
         */
        private int dispatchAhead(Batch batch) {
            Completions completions = batch.completions;
            if (multiThreaded || !isReentrant(completions.get(batch.current))) {
                completions.defer(batch.current);
            }
            batch.deferring = true;
            int count = 0;
            for (int index = batch.dispatched; index < completions.size(); index++) {
                if (batch.ahead == null) {
                    batch.ahead = new BitSet(completions.size());
                }
                if (!batch.ahead.get(index) && !completions.isDeferred(index)) {
                    batch.ahead.set(index);
                    count++;
                    dispatch(batch, index);
                }
            }
            return count;
        }

        private static boolean isReentrant(Completion completion) {
            return completion.handler() instanceof CompletionHandler handler && handler.isReentrant();
        }

        private void dispatch(Batch batch, int index) {
            int around = batch.current;
            batch.current = index;
            try {
                dispatch(batch.completions.get(index), trace);
            } finally {
                batch.current = around;
                if (batch.deferring) {
                    batch.completions.release(index);
                    // A hook around this one is there only if it runs the loop.
                    batch.deferring = around != NONE;
                }
            }
        }

        /** Calls the hook, and handles whatever it throws. The call is recorded if there is a trace. */
        static void dispatch(Completion completion, @Nullable DispatchTrace trace) {
            CompletionHandler handler = (CompletionHandler) completion.handler();
            assert handler != null;
            try {
                if (trace == null) {
                    handler.handleCompletion(completion);
                } else {
                    handleTraced(handler, completion, trace);
                }
            } catch (Throwable e) {
                fail(handler, completion.handle(), e, trace);
            } finally {
                completion.closeUntaken();
            }
        }

        private static void handleTraced(CompletionHandler handler, Completion completion, DispatchTrace trace)
                throws Exception {
            String hook = TRACED.get(completion.type());
            assert hook != null;
            trace.begin(hook, handler, completion.handle());
            try {
                handler.handleCompletion(completion);
            } finally {
                trace.end();
            }
        }

        private static void fail(CompletionHandler handler, @Nullable Handle handle, Throwable cause,
                @Nullable DispatchTrace trace) {
            try {
                if (trace == null) {
                    handler.handleFailure(handle, cause);
                } else {
                    failTraced(handler, handle, cause, trace);
                }
            } catch (Throwable e) {
                HookFailure.logUndelivered(handler, cause, e);
                close(handler, handle);
            }
        }

        private static void failTraced(CompletionHandler handler, @Nullable Handle handle, Throwable cause,
                DispatchTrace trace) {
            trace.begin("handleFailure", handler, handle);
            try {
                handler.handleFailure(handle, cause);
            } finally {
                trace.end();
            }
        }

        private static void close(CompletionHandler handler, @Nullable Handle handle) {
            if (handle != null) {
                try {
                    handle.close();
                } catch (Throwable e) {
                    HookFailure.logUndelivered(handler, e, e);
                }
            }
        }
    }
}
