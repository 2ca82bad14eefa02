package dev.sluice.proactor;

import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Completions;
import dev.sluice.handle.Handle;
import dev.sluice.hook.HookFailure;
import java.io.IOException;

/**
 * What one wait has brought, and how much of it has been dispatched. Belongs to one thread; a hook that runs the loop
 * dispatches the rest, and then waits with another batch.
 */
final class CompletionBatch {

    private final AsynchronousEventDemultiplexer demultiplexer;
    private final Completions completions;
    /** The batch whose hook runs the loop in which this one is used, or null. */
    private CompletionBatch outer;
    /** The batch for hooks of this one that run the loop, if it is kept for the next such hook; or null. */
    CompletionBatch inner;
    private int dispatched;
    private boolean dispatching;

    /**
     * Makes an empty batch.
     *
     * @param demultiplexer to wait with
     * @param capacity      the most that one wait brings
     * @param outer         the batch whose hook runs the loop in which this one is used, or null
     */
    CompletionBatch(AsynchronousEventDemultiplexer demultiplexer, int capacity, CompletionBatch outer) {
        this.demultiplexer = demultiplexer;
        this.completions = demultiplexer.newCompletions(capacity);
        this.outer = outer;
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
        return dispatching;
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
        int count = 0;
        // A field because a hook may run the loop itself, which dispatches the rest of the batch.
        while (hasRest()) {
            count++;
            dispatch(dispatched++);
        }
        return count;
    }

    private void dispatch(int index) {
        boolean nested = dispatching;
        dispatching = true;
        try {
            dispatch(completions.get(index));
        } finally {
            dispatching = nested;
        }
    }

    /** Calls the hook, and handles whatever it throws. */
    static void dispatch(Completion completion) {
        CompletionHandler handler = (CompletionHandler) completion.handler();
        try {
            handler.handleCompletion(completion);
        } catch (Throwable e) {
            fail(handler, completion.handle(), e);
        } finally {
            completion.closeUntaken();
        }
    }

    private static void fail(CompletionHandler handler, Handle handle, Throwable cause) {
        try {
            handler.handleFailure(handle, cause);
        } catch (Throwable e) {
            HookFailure.untold(handler, cause, e);
            close(handler, handle);
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
    }

    void close() {
        completions.close();
    }
}
