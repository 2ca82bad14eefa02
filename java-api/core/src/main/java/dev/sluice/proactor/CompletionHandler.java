package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.Handle;
import dev.sluice.hook.HookFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The paper's Completion Handler with the single-method dispatch interface (Proactor paper, implementation activity
 * 2.3), for individual operations: called by the thread that runs the proactor, or, if several threads run it,
 * sequentially for each handle (see {@link Proactor}). {@link StreamHandler}, with a hook for each event of a
 * connection, is the multi-method interface. {@link AsyncStream#withHandler} and {@link AsyncFile#withHandler} start
 * operations with a different handler.
 *
 * <p>A hook must not block. Its exceptions are passed to {@link #handleFailure}.
 */
@FunctionalInterface
public interface CompletionHandler {

    /**
     * Called when an operation has completed, or a continuous one has a result. Failures and cancellations are
     * completions as well.
     *
     * @param completion the result, with the {@linkplain Completion#type() type} of the operation
     * @throws Exception if the hook fails
     */
    void handleCompletion(Completion completion) throws Exception;

    /**
     * {@return whether a hook that runs the loop may be called again, for the next completion of its own handle, before
     * it returns} False by default: the completions of the handle are deferred until the hook returns. If true, a hook
     * can wait for an operation on its own handle. Used only if one thread runs the loop.
     */
    default boolean isReentrant() {
        return false;
    }

    /**
     * Called when a hook of this handler has thrown an exception or an error. By default, logs a warning, or an error
     * if the cause is an {@link Error}, and closes the handle; its operations in flight complete as cancelled. Must not
     * throw; if it does, that is logged and the handle closed.
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
