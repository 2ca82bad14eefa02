package dev.sluice.files;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.AsyncFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An operation of a batch and its result. It belongs to the thread of the batch until the batch is submitted, then to
 * the thread of the loop, and after the batch has completed to the former again.
 */
final class BatchEntry {

    /** How far an operation is. */
    private enum State {
        NEW,
        WAITING,
        IN_FLIGHT,
        COMPLETED
    }

    private final FileBatch batch;
    private State state = State.NEW;
    private OperationType type = OperationType.FORCE;
    private @Nullable LoopFile file;
    private @Nullable ByteBuffer buffer;
    private long position;
    private long length;
    private long ticket;
    /** The position of the buffer when the operation was started last. */
    private int begin;
    private long bytes;
    private @Nullable Throwable failure;

    /** The entry that waits behind this one for its turn on the file. */
    @Nullable BatchEntry next;

    BatchEntry(FileBatch batch) {
        this.batch = batch;
    }

    void set(OperationType newType, LoopFile newFile, @Nullable ByteBuffer newBuffer, long newPosition,
            long newLength) {
        type = newType;
        file = newFile;
        buffer = newBuffer;
        position = newPosition;
        length = newLength;
        state = State.NEW;
        bytes = 0;
        failure = null;
    }

    private LoopFile file() {
        assert file != null;
        return file;
    }

    private ByteBuffer buffer() {
        assert buffer != null;
        return buffer;
    }

    // On the thread of the loop

    void start() {
        state = State.WAITING;
        file().start(this);
    }

    void begin(AsyncFile operations) {
        state = State.IN_FLIGHT;
        begin = buffer == null ? 0 : buffer.position();
        ticket = switch (type) {
            case READ -> operations.read(buffer(), position + bytes, this);
            case WRITE -> operations.write(buffer(), position, this);
            case WRITE_AND_FORCE_DATA -> operations.writeAndForceData(buffer(), position, this);
            case FORCE -> operations.force(this);
            case FORCE_DATA -> operations.forceData(this);
            case TRUNCATE -> operations.truncate(position, this);
            case ALLOCATE -> operations.allocate(position, length, this);
            case PUNCH_HOLE -> operations.punchHole(position, length, this);
            case PREFETCH -> operations.prefetch(position, length, this);
            case EVICT -> operations.evict(position, length, this);
            case WRITE_BACK -> operations.writeBack(position, length, this);
            default -> throw new IllegalStateException("not of a batch: " + type);
        };
    }

    /** {@return whether the operation must be started once more, for the rest of a short read} */
    boolean completed(Completion completion) {
        if (!completion.isSuccess()) {
            if (type == OperationType.WRITE || type == OperationType.WRITE_AND_FORCE_DATA) {
                bytes = buffer().position() - begin;
            }
            failed(completion.error());
            return false;
        }
        long transferred = completion.bytesTransferred();
        if (type == OperationType.READ && transferred != FileHandle.END_OF_FILE) {
            bytes += transferred;
            if (buffer().hasRemaining()) {
                if (!batch.isCancelled()) {
                    return true;
                }
                failed(new IOException(type.call() + ": " + file() + ": cancelled after " + bytes + " bytes"));
                return false;
            }
        } else if (type != OperationType.READ || bytes == 0) {
            bytes = transferred;
        }
        end();
        return false;
    }

    /** Completes an operation that cannot be started. */
    void refused(Throwable cause) {
        if (bytes > 0 && cause instanceof IllegalArgumentException) {
            // A read of a file opened with DIRECT is short at the end of the file, which need not be aligned.
            end();
        } else {
            failed(cause);
        }
    }

    /** Completes the operation, unless it has completed. */
    void failed(@Nullable Throwable cause) {
        if (state != State.COMPLETED) {
            failure = cause;
            end();
        }
    }

    private void end() {
        state = State.COMPLETED;
        batch.completedOne();
    }

    void cancel() {
        if (state == State.IN_FLIGHT) {
            file().cancel(ticket);
        } else if (state == State.WAITING) {
            // Created first: if there is no memory for it, the operation continues to wait.
            IOException cancelled = new IOException(type.call() + ": " + file() + ": cancelled before it was started");
            file().removeWaiting(this);
            failed(cancelled);
        }
    }

    // After the batch has completed

    long bytes() {
        return bytes;
    }

    @Nullable IOException error() {
        if (failure == null || failure instanceof IOException) {
            return (IOException) failure;
        }
        return new IOException(type.call() + ": " + file() + ": " + failure, failure);
    }
}
