package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.Handle;
import dev.sluice.hook.HookFailure;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;

/**
 * What one wait has brought, and how much of it has been dispatched. Belongs to one thread; a hook that runs the loop
 * dispatches the rest, and then waits with another batch. Both leave out what belongs to the handle that the hook was
 * called for.
 */
final class CompletionBatch {

    private static final int NONE = -1;

    /** What the call of a hook is named in a trace: which hook depends on the type, unless the handler decides. */
    private static final Map<OperationType, String> TRACED = new EnumMap<>(OperationType.class);

    static {
        for (OperationType type : OperationType.values()) {
            TRACED.put(type, "handleCompletion(" + type + ")");
        }
    }

    private final AsynchronousEventDemultiplexer demultiplexer;
    private final Completions completions;
    private final DispatchTrace trace;
    /** The batch whose hook runs the loop in which this one is used, or null. */
    private CompletionBatch outer;
    /** The batch of hooks of this one that run the loop, if it is kept for the next such hook; or null. */
    CompletionBatch inner;
    private int dispatched;
    /** The one whose hook is being called, the innermost if there are several. */
    private int current = NONE;
    /** Whether that hook, or one inside of it, has run the loop. */
    private boolean deferring;
    /** Those after {@link #dispatched} that hooks that run the loop have dispatched; null if there was no such hook. */
    private BitSet ahead;

    /**
     * Makes an empty batch.
     *
     * @param demultiplexer to wait with
     * @param capacity      the most that one wait brings
     * @param outer         the batch whose hook runs the loop in which this one is used, or null
     * @param trace         records the calls of hooks; may be null
     */
    CompletionBatch(AsynchronousEventDemultiplexer demultiplexer, int capacity, CompletionBatch outer,
            DispatchTrace trace) {
        this.demultiplexer = demultiplexer;
        this.completions = demultiplexer.newCompletions(capacity);
        this.outer = outer;
        this.trace = trace;
    }

    CompletionBatch outer() {
        return outer;
    }

    CompletionBatch inside(CompletionBatch other) {
        outer = other;
        return this;
    }

    /** {@return whether a hook is being called with one of its completions} */
    boolean isDispatching() {
        return current != NONE;
    }

    /**
     * Waits for completions, after giving back the previous ones.
     *
     * @param timeoutNanos in nanoseconds; negative means forever
     * @return how many completions there are
     * @throws IOException if the system call fails
     */
    int await(long timeoutNanos) throws IOException {
        // Not left to the wait: if it fails, nothing must be dispatched a second time.
        clear();
        return demultiplexer.awaitCompletions(completions, timeoutNanos);
    }

    /** {@return how many hooks were called} */
    int dispatch() {
        return isDispatching() ? dispatchAhead() : dispatchRest();
    }

    private int dispatchRest() {
        int count = 0;
        // A field because a hook may run the loop itself, which dispatches what comes after it.
        while (hasRest()) {
            int index = dispatched++;
            if (ahead == null || !ahead.get(index)) {
                count++;
                dispatch(index);
            }
        }
        return count;
    }

    /** The current hook runs the loop. What belongs to its handle, or to those of the hooks around it, is left. */
    private int dispatchAhead() {
        completions.defer(current);
        deferring = true;
        int count = 0;
        for (int index = dispatched; index < completions.size(); index++) {
            if (ahead == null) {
                ahead = new BitSet(completions.size());
            }
            if (!ahead.get(index) && !completions.isDeferred(index)) {
                ahead.set(index);
                count++;
                dispatch(index);
            }
        }
        return count;
    }

    private void dispatch(int index) {
        int outer = current;
        current = index;
        try {
            dispatch(completions.get(index), trace);
        } finally {
            current = outer;
            if (deferring) {
                completions.release(index);
                // A hook around this one is there only if it runs the loop.
                deferring = outer != NONE;
            }
        }
    }

    /** Calls the hook, and handles whatever it throws. The call is recorded if there is a trace. */
    static void dispatch(Completion completion, DispatchTrace trace) {
        CompletionHandler handler = (CompletionHandler) completion.handler();
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
        trace.begin(TRACED.get(completion.type()), handler, completion.handle());
        try {
            handler.handleCompletion(completion);
        } finally {
            trace.end();
        }
    }

    private static void fail(CompletionHandler handler, Handle handle, Throwable cause, DispatchTrace trace) {
        try {
            if (trace == null) {
                handler.handleFailure(handle, cause);
            } else {
                failTraced(handler, handle, cause, trace);
            }
        } catch (Throwable e) {
            HookFailure.untold(handler, cause, e);
            close(handler, handle);
        }
    }

    private static void failTraced(CompletionHandler handler, Handle handle, Throwable cause, DispatchTrace trace) {
        trace.begin("handleFailure", handler, handle);
        try {
            handler.handleFailure(handle, cause);
        } finally {
            trace.end();
        }
    }

    private static void close(CompletionHandler handler, Handle handle) {
        if (handle != null) {
            try {
                handle.close();
            } catch (Throwable e) {
                HookFailure.untold(handler, e, e);
            }
        }
    }

    boolean hasRest() {
        return dispatched < completions.size();
    }

    /** Gives back the completions. */
    void clear() {
        completions.clear();
        dispatched = 0;
        if (ahead != null) {
            ahead.clear();
        }
    }

    void close() {
        completions.close();
    }
}
