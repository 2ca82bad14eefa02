package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.Handle;
import dev.sluice.hook.HookFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The paper's Completion Handler with the single-method dispatch interface (Proactor paper, implementation activity
 * 2.3), for single operations: called by the thread that runs the proactor, or, if several threads run it, by one after
 * the other for each handle (see {@link Proactor}). {@link StreamHandler}, with a hook for each event of a connection,
 * is the multi-method one. An operation that is to have a handler of its own is started by {@link
 * AsyncStream#withHandler} and its like.
 *
 * <p>A hook must not block. What it throws goes to {@link #handleFailure}.
 */
@FunctionalInterface
public interface CompletionHandler {

    /**
     * An operation has completed, or a continuous one has a result. Failures and cancellations are completions as well.
     *
     * @param completion the result, which {@linkplain Completion#type() says} of which operation
     * @throws Exception whatever goes wrong
     */
    void handleCompletion(Completion completion) throws Exception;

    /**
     * {@return whether a hook that runs the loop may be called again, for the next completion of its own handle, before
     * it returns} False unless overridden: the completions of the handle are deferred until the hook returns. It lets a
     * hook wait for an operation on its own handle. It matters only where one thread runs the loop.
     */
    default boolean isReentrant() {
        return false;
    }

    /**
     * A hook of this handler threw an exception or an error. Unless overridden, it logs a warning, or an error if the
     * cause is an {@link Error}, and closes the handle; everything else in flight on it completes as cancelled. Must
     * not throw; if it does, that is logged and the handle closed.
     *
     * @param handle the handle of the completion; null if it had none, or for a timer
     * @param cause  the exception or error
     */
    default void handleFailure(@Nullable Handle handle, Throwable cause) {
        try {
            HookFailure.log(LoggerFactory.getLogger(CompletionHandler.class), this, handle, cause);
        } finally {
            if (handle != null) {
                handle.close();
            }
        }
    }
}
