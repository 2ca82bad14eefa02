package dev.sluice.demultiplexer;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The result of an asynchronous operation: the paper's Async_Result. It is filled once, when the operation completes,
 * and is valid until the hook that received it returns; copy out of it what is needed for longer.
 */
public interface Completion {

    /** {@return what the operation did} */
    OperationType type();

    /** {@return the handle of the operation, null if it had none} */
    @Nullable Handle handle();

    /** {@return what the operation was started for; null if that was nothing} */
    @Nullable Object handler();

    /** {@return what the initiator started the operation with; may be null} */
    @Nullable Object token();

    /** {@return whether it did what was asked for} */
    boolean isSuccess();

    /** {@return whether it was cancelled, or its handle or the proactor was closed} */
    boolean isCancelled();

    /** {@return whether the system refused it; {@link #error} has the reason} */
    default boolean isFailure() {
        return !isSuccess() && !isCancelled();
    }

    /**
     * {@return the bytes received, sent, read or written; -1 at the end of a stream or file, as from a facade's
     * {@code receive} and {@code read}; 0 if it did not succeed, although the positions of the buffers then still show
     * how much was transferred}
     */
    default long bytesTransferred() {
        return isEnd() ? SocketStream.END_OF_STREAM : result();
    }

    /**
     * {@return what a {@link OperationType#POST} was given, or the events that a {@link OperationType#POLL} saw; 0
     * unless it succeeded}
     */
    long result();

    /**
     * {@return where in the file a {@link OperationType#READ}, {@link OperationType#WRITE} or
     * {@link OperationType#TRANSMIT_FILE} began, in bytes; 0 for other types}
     */
    long position();

    /** {@return whether this is the end of a stream or file} */
    default boolean isEnd() {
        return result() == 0 && isSuccess() && switch (type()) {
            case RECEIVE, RECEIVE_CONTINUOUSLY, READ -> true;
            default -> false;
        };
    }

    /** {@return whether the operation is over; a continuous one has completions that are not the last} */
    boolean isLast();

    /**
     * {@return why it failed, or that it was cancelled, with a cause where the error number says too little; null if it
     * succeeded; created when this is called}
     */
    @Nullable IOException error();

    /**
     * {@return the connection that was accepted or made, null if there is none; owned by the handler from this call on;
     * without this call it is closed when the hook ends}
     */
    @CheckReturnValue
    @Nullable SocketStream stream();

    /**
     * {@return the file that was opened, null if there is none; owned by the handler from this call on; without this
     * call it is closed when the hook ends}
     */
    @CheckReturnValue
    @Nullable FileHandle file();

    /**
     * {@return what a continuous receive received, valid inside the hook unless it is retained; null if there is
     * nothing}
     */
    @Nullable ProvidedBuffer buffer();

    /**
     * Closes a connection or file that the hook has not taken. Called by the dispatcher after the hook has returned.
     */
    void closeUntaken();
}
