package dev.sluice.demultiplexer;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.attribute.PosixFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The result of an asynchronous operation: the paper's Async_Result. It is set when the operation completes, and valid
 * until the hook that received it returns; a hook must copy data that is needed for longer.
 */
public interface Completion {

    /** {@return the type of the operation} */
    OperationType type();

    /** {@return the handle of the operation, null if it had none} */
    @Nullable Handle handle();

    /** {@return the handler that the operation was started for; may be null} */
    @Nullable Object handler();

    /** {@return the token that the initiator passed when it started the operation; may be null} */
    @Nullable Object token();

    /** {@return whether it succeeded} */
    boolean isSuccess();

    /** {@return whether it was cancelled, by the program or because its handle or the proactor was closed} */
    boolean isCancelled();

    /** {@return whether it failed; {@link #error} returns the reason} */
    default boolean isFailure() {
        return !isSuccess() && !isCancelled();
    }

    /**
     * {@return the bytes received, sent, read or written; -1 at the end of a stream or file, as from a facade's
     * {@code receive} and {@code read}; 0 if it did not succeed, in which case the positions of the buffers still
     * indicate how much was transferred}
     */
    default long bytesTransferred() {
        return isEndOfStream() ? SocketStream.END_OF_STREAM : result();
    }

    /**
     * {@return the number of bytes transferred, the number that a {@link OperationType#POST} was given, or the ready
     * events of a {@link OperationType#POLL}; 0 unless it succeeded}
     */
    long result();

    /**
     * {@return the position in the file at which a {@link OperationType#READ}, {@link OperationType#WRITE},
     * {@link OperationType#WRITE_AND_FORCE_DATA}, {@link OperationType#TRANSMIT_FILE} or {@link OperationType#COPY}
     * began, in bytes, or the first byte of a range; 0 for other types}
     */
    long position();

    /** {@return whether this is the end of a stream or file} */
    default boolean isEndOfStream() {
        return result() == 0 && isSuccess() && switch (type()) {
            case RECEIVE, RECEIVE_CONTINUOUSLY, READ -> true;
            default -> false;
        };
    }

    /** {@return whether this is the last completion of the operation; a continuous operation has others before it} */
    boolean isLast();

    /**
     * {@return the reason of a failure or cancellation, with a cause if the error number is not specific enough; null
     * if it succeeded; created by each call}
     */
    @Nullable IOException error();

    /**
     * {@return the connection that was accepted or established; null if there is none; owned by the caller from this
     * call on. If the hook does not call this method, the connection is closed when the hook returns}
     */
    @CheckReturnValue
    @Nullable SocketStream stream();

    /**
     * {@return the file that was opened; null if there is none; owned by the caller from this call on. If the hook does
     * not call this method, the file is closed when the hook returns}
     */
    @CheckReturnValue
    @Nullable FileHandle file();

    /**
     * {@return the lock that was obtained, which closing it ends; null if there is none; owned by the caller from this
     * call on. If the hook does not call this method, the lock ends when the hook returns}
     */
    @CheckReturnValue
    @Nullable Closeable lock();

    /** {@return the attributes that a {@link OperationType#STATUS} has read; null if there are none} */
    @Nullable PosixFileAttributes status();

    /**
     * {@return the buffer with the bytes of a continuous receive, valid inside the hook unless it is retained; null if
     * there is none}
     */
    @Nullable ProvidedBuffer buffer();

    /**
     * Closes a connection, file or lock that the hook has not claimed. Called by the dispatcher after the hook has
     * returned.
     */
    void closeUnclaimed();
}
