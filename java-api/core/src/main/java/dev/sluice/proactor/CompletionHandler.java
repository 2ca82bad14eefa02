package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.Handle;
import dev.sluice.hook.HookFailure;
import dev.sluice.timer.TimeoutHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The paper's Completion Handler with the multi-method dispatch interface (Proactor paper, implementation activity
 * 2.3): one hook for each type of operation, all called by the thread that runs the proactor, or, if several threads
 * run it, one after the other for each handle (see {@link Proactor}). A hook must not block. A hook that is called but
 * not overridden throws, because the result of an operation would be lost otherwise. What a hook throws goes to
 * {@link #handleFailure}.
 *
 * <p>Failures and cancellations are completions as well: the hook of their type gets them.
 */
public interface CompletionHandler extends TimeoutHandler {

    /**
     * Creates a handler of a function, which gets the completions of every type.
     *
     * @param target the function
     * @return the handler
     */
    @CheckReturnValue
    static CompletionHandler of(SingleMethodCompletionHandler target) {
        Objects.requireNonNull(target, "target");
        return new CompletionHandler() {
            @Override
            public void handleCompletion(Completion completion) throws Exception {
                target.handleEvent(completion);
            }

            @Override
            public String toString() {
                return "adapter of " + target;
            }
        };
    }

    /**
     * Calls the hook of the completion's type. Handlers that are a single function override this one.
     *
     * @param completion the result
     * @throws Exception what the hook throws
     */
    default void handleCompletion(Completion completion) throws Exception {
        switch (completion.type()) {
            case ACCEPT, ACCEPT_CONTINUOUSLY -> handleAccept(completion);
            case CONNECT -> handleConnect(completion);
            case RECEIVE, RECEIVE_CONTINUOUSLY, RECEIVE_FROM -> handleReceive(completion);
            case SEND, SEND_TO -> handleSend(completion);
            case TRANSMIT_FILE -> handleTransmitFile(completion);
            case OPEN -> handleOpen(completion);
            case READ -> handleRead(completion);
            case WRITE -> handleWrite(completion);
            default -> handleOther(completion);
        }
    }

    /**
     * {@return whether a hook that runs the loop may be called again, for the next completion of its own handle, before
     * it returns} False unless overridden: the completions of the handle are deferred until the hook returns. It lets a
     * hook wait for an operation on its own handle. It matters only where one thread runs the loop.
     */
    default boolean isReentrant() {
        return false;
    }

    /** A connection was accepted: {@link Completion#stream()}. */
    default void handleAccept(Completion completion) throws Exception {
        throw missing("handleAccept", completion);
    }

    /** A connection was made: {@link Completion#stream()}. */
    default void handleConnect(Completion completion) throws Exception {
        throw missing("handleConnect", completion);
    }

    /** Bytes of a stream or a datagram were received, or the stream has ended: {@link Completion#isEnd()}. */
    default void handleReceive(Completion completion) throws Exception {
        throw missing("handleReceive", completion);
    }

    /** Bytes or a datagram were sent. */
    default void handleSend(Completion completion) throws Exception {
        throw missing("handleSend", completion);
    }

    /** A part of a file was sent. */
    default void handleTransmitFile(Completion completion) throws Exception {
        throw missing("handleTransmitFile", completion);
    }

    /** A file was opened: {@link Completion#file()}. */
    default void handleOpen(Completion completion) throws Exception {
        throw missing("handleOpen", completion);
    }

    /** Bytes of a file were read, or there are no more: {@link Completion#isEnd()}. */
    default void handleRead(Completion completion) throws Exception {
        throw missing("handleRead", completion);
    }

    /** Bytes were written to a file. */
    default void handleWrite(Completion completion) throws Exception {
        throw missing("handleWrite", completion);
    }

    /**
     * What has no hook of its own: {@link OperationType#FORCE}, {@link OperationType#FORCE_DATA},
     * {@link OperationType#SHUTDOWN}, {@link OperationType#CLOSE}, {@link OperationType#POLL},
     * {@link OperationType#TIMEOUT} and {@link OperationType#POST}.
     */
    default void handleOther(Completion completion) throws Exception {
        throw missing("handleOther", completion);
    }

    @Override
    default void handleTimeout(@Nullable Object token) throws Exception {
        throw new UnsupportedOperationException(this + " scheduled a timer but does not override handleTimeout");
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

    private UnsupportedOperationException missing(String hook, Completion completion) {
        return new UnsupportedOperationException(this + " started " + completion.type() + " but does not override "
                + hook);
    }
}
