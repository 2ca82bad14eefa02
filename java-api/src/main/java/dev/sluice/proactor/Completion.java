package dev.sluice.proactor;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Completions;
import dev.sluice.demultiplexer.Operation;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import java.io.IOException;

/**
 * The result of an asynchronous operation: the paper's Async_Result. Valid until the hook that it was given to returns;
 * what is needed longer has to be taken out of it.
 */
public final class Completion {

    private Operation operation;
    private OperationType type;
    private Handle handle;
    private Object token;
    private long result;
    private IOException error;
    private SocketStream stream;
    private FileHandle file;
    private ProvidedBuffer buffer;
    private boolean last;
    /** Whether somebody has asked for the connection or the file. */
    private boolean taken;

    Completion() {
    }

    void set(Completions completions, int index, Object newToken) {
        operation = completions.operation(index);
        type = operation.type();
        handle = operation.association() == null ? null : operation.association().handle();
        token = newToken;
        result = completions.result(index);
        error = null;
        stream = completions.stream(index);
        file = completions.file(index);
        buffer = completions.buffer(index);
        last = completions.isLast(index);
        taken = false;
    }

    /** Lets go of what the last one brought, for good. */
    void forget() {
        operation = null;
        handle = null;
        token = null;
        error = null;
        stream = null;
        file = null;
        buffer = null;
    }

    /** A connection does not come from the demultiplexer, which connected a socket that it was given. */
    void connected(SocketStream socket) {
        stream = socket;
    }

    /** The operation was cancelled for this reason. */
    void failed(IOException reason) {
        result = -Errno.ETIMEDOUT.number();
        error = reason;
    }

    /** The hook has ended: what it has not asked for, nobody can ask for any more. */
    void closeUntaken() {
        if (!taken) {
            abandon();
        }
    }

    /** Nobody takes the connection or file. */
    void abandon() {
        if (stream != null) {
            stream.close();
        }
        if (file != null) {
            file.close();
        }
    }

    /** {@return what the operation did} */
    public OperationType type() {
        return type;
    }

    /** {@return the handle of the operation, null if it had none} */
    public Handle handle() {
        return handle;
    }

    /** {@return what the initiator started the operation with} */
    public Object token() {
        return token;
    }

    /** {@return how it ended} */
    public CompletionStatus status() {
        return result >= 0 ? CompletionStatus.SUCCEEDED
                : Errno.ECANCELED.is(result) ? CompletionStatus.CANCELLED : CompletionStatus.FAILED;
    }

    /** {@return whether it did what was asked for} */
    public boolean isSuccess() {
        return result >= 0;
    }

    /**
     * {@return the bytes received, sent, read or written; 0 at the end of a stream or file, and unless it succeeded:
     * then the positions of the buffers tell what was transferred all the same}
     */
    public long bytesTransferred() {
        return Math.max(result, 0);
    }

    /** {@return what a {@link OperationType#POST} was given, or the events that a {@link OperationType#POLL} saw} */
    public long result() {
        return Math.max(result, 0);
    }

    /** {@return whether this is the end of a stream or file} */
    public boolean isEnd() {
        return result == 0 && switch (type) {
            case RECEIVE, RECEIVE_CONTINUOUSLY, READ -> true;
            default -> false;
        };
    }

    /** {@return whether the operation is over; a continuous one has completions that are not the last} */
    public boolean isLast() {
        return last;
    }

    /**
     * {@return why it failed or that it was cancelled, null if it succeeded; made when it is asked for}
     */
    public IOException error() {
        if (error == null && result < 0) {
            error = operation.error(result);
        }
        return error;
    }

    /**
     * {@return the connection that was accepted or made, null if there is none; owned by the handler from this call on,
     * without which it is closed when the hook ends}
     */
    public SocketStream stream() {
        taken = true;
        return stream;
    }

    /**
     * {@return the file that was opened, null if there is none; owned by the handler from this call on, without which
     * it is closed when the hook ends}
     */
    public FileHandle file() {
        taken = true;
        return file;
    }

    /**
     * {@return what a continuous receive received, valid inside the hook unless it is kept; null if there is nothing}
     */
    public ProvidedBuffer buffer() {
        return buffer;
    }

    /** {@return for example {@code RECEIVE tcp 127.0.0.1:7007 (fd 12): 64}} */
    @Override
    public String toString() {
        return type + " " + handle + ": " + (result >= 0 ? String.valueOf(result) : Errno.describe(result));
    }
}
