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
 * The batches of completions of a proactor: one for each thread that runs the loop, and another one for each of its
 * hooks that runs the loop, because waiting with the same batch would release the buffers and the handles of the hook.
 * Such a hook dispatches the rest of the outer batch, and then waits with its own one. Completions of the hook's own
 * handle are deferred in both.
 *
 * <p>A thread dispatches and waits with its innermost batch. If one thread runs the loop, all batches are retained for
 * its next hooks. If several do, a batch is created when a thread first waits and closed when the thread leaves, or the
 * hook returns, because a retained batch would defer completions of its handles for all other threads.
 */
final class CompletionBatches {

    private static final int NONE = -1;
    /** Maximum number of completions per wait of a loop thread; no other thread could take further ones. */
    private static final int CAPACITY_OF_ONE = 512;
    /**
     * Maximum number of completions per wait if several threads wait. Further completions in a batch would wait for the
     * earlier hooks, and so would all later ones of their handles, even if other threads are idle. With 8, hooks that
     * compute for 100 microseconds had a lower throughput, and three times the latency at the 99th percentile; only
     * very short hooks needed less processor time.
     */
    private static final int CAPACITY_OF_MANY = 1;

    /** Names of the hooks in a trace, by the type of the operation. */
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
     * The batches of the only loop thread. If there are several, those of a thread that ends the loop without having
     * waited: handlers must be notified of the end even if there is no memory for another batch.
     */
    private final OfThread first;
    /** Batches of threads that have left the loop because of a failure, if there are several threads. */
    private final Queue<Batch> unfinished = new ConcurrentLinkedQueue<>();

    CompletionBatches(AsynchronousEventDemultiplexer demultiplexer, boolean multiThreaded,
            @Nullable DispatchTrace trace) {
        this.demultiplexer = demultiplexer;
        this.multiThreaded = multiThreaded;
        this.trace = trace;
        this.first = new OfThread(newBatch(null));
    }

    /** The completions of one wait, and the number of those dispatched. Confined to one thread. */
    private static final class Batch {

        final Completions completions;
        /** The batch whose hook runs the loop with this one; null for none. */
        @Nullable Batch outer;
        /** The batch for hooks of this one that run the loop, if it is retained; null for none. */
        @Nullable Batch inner;
        int dispatched;
        /** Index of the completion whose hook is being called, the innermost if there are several. */
        int current = NONE;
        /** Whether that hook, or one that it has caused, has run the loop. */
        boolean deferring;
        /**
         * Indexes after {@link #dispatched} that have been dispatched by hooks that run the loop; null if there are
         * none.
         */
        @Nullable BitSet ahead;

        Batch(Completions completions, @Nullable Batch outer) {
            this.completions = completions;
            this.outer = outer;
        }
    }

    private Batch newBatch(@Nullable Batch outer) {
        return new Batch(demultiplexer.newCompletions(multiThreaded ? CAPACITY_OF_MANY : CAPACITY_OF_ONE), outer);
    }

    /** {@return the batches of a thread that is about to wait for the first time} */
    OfThread newThread() {
        return multiThreaded ? new OfThread(null) : first;
    }

    /**
     * {@return the batches of a thread that is about to end the loop; does not allocate}
     *
     * @param own the batches that it has waited with, or null
     */
    OfThread ofEnd(@Nullable EventBatch own) {
        return own instanceof OfThread batches && batches.innermost != null ? batches : first;
    }

    /** Closes all batches that do not belong to a thread. */
    void close() {
        unfinished.forEach(batch -> batch.completions.close());
        first.close();
    }

    /** The batches of one thread. */
    final class OfThread implements EventBatch {

        /** The outermost batch, if it is retained. */
        private final @Nullable Batch kept;
        /** The innermost batch; null if there is none. */
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
            // Cleared here because the wait may fail before it clears the batch, and no completion must be dispatched
            // twice.
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
            // The outermost batch of a loop thread is retained.
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
                // A hook that has run the loop may have changed the innermost batch.
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

        /** {@return whether there are collected completions that no thread is dispatching} */
        boolean hasRest() {
            return innermost != null && hasRest(innermost) || !unfinished.isEmpty();
        }

        /** {@inheritDoc} A batch that cannot be passed on for lack of memory stays with the thread. */
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
            // The index is a field, because a hook may run the loop, which dispatches completions after it.
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
         * Dispatches completions while the current hook runs the loop, except for those of its handle and of the
         * handles of enclosing hooks, unless their handlers are re-entrant.
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
                    // An enclosing hook exists only if it runs the loop.
                    batch.deferring = around != NONE;
                }
            }
        }

        /** Calls the hook, and handles its exceptions. Records the call if there is a trace. */
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
                completion.closeUnclaimed();
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
