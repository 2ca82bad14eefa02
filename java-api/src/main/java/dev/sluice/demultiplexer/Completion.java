package dev.sluice.demultiplexer;

import dev.sluice.calls.Errno;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;

/**
 * The result of an asynchronous operation: the paper's Async_Result. It is filled once, where the operation completes,
 * and valid until the hook that it was given to returns, or the {@link Completions} that have brought it are waited
 * with again; what is needed longer has to be taken out of it.
 */
public class Completion {

    private Operation operation;
    private OperationType type;
    private Association association;
    private Object handler;
    private Object token;
    private long result;
    private long position;
    private Object resource;
    private boolean last;
    /** Whether somebody has asked for the connection or the file. */
    private boolean taken;
    // What a failure is about; the operation may be about something else by then.
    private Object subject;
    private PeerAddress peer;
    private IOException error;

    /** For demultiplexers. */
    protected Completion() {
    }

    /**
     * For demultiplexers: becomes what has come of an operation.
     *
     * @param of       which operation
     * @param value    how it went, as for {@link Completions#result}
     * @param brought  a {@link SocketStream}, a {@link FileHandle}, a {@link ProvidedBuffer}, or null
     * @param isLast   whether the operation is over
     */
    protected final void fill(Operation of, long value, Object brought, boolean isLast) {
        operation = of;
        type = of.type();
        association = of.association();
        handler = of.handler();
        token = of.token();
        result = value;
        position = of.filePosition();
        resource = brought;
        last = isLast;
        taken = false;
        if (value < 0) {
            subject = of.subject();
            peer = of.peer();
        }
    }

    /**
     * For initiators: becomes a success that brings a connection, or a failure for a reason that the demultiplexer does
     * not know.
     *
     * @param other  what the demultiplexer knows
     * @param stream the connection, or null
     * @param reason of the failure, or null
     */
    protected final void fill(Completion other, SocketStream stream, IOException reason) {
        operation = other.operation;
        type = other.type;
        association = other.association;
        handler = other.handler;
        token = other.token;
        result = reason == null ? other.result : -Errno.ETIMEDOUT.number();
        resource = stream;
        last = other.last;
        subject = other.subject;
        peer = other.peer;
        error = reason;
    }

    /** For demultiplexers: lets go of what it has brought, for good. */
    protected final void forget() {
        operation = null;
        association = null;
        handler = null;
        token = null;
        resource = null;
        subject = null;
        peer = null;
        error = null;
    }

    final Operation operation() {
        return operation;
    }

    final long value() {
        return result;
    }

    /** {@return on which handle the operation was started; null if it had none} */
    protected final Association association() {
        return association;
    }

    /** {@return what the operation was {@linkplain Operation#claim claimed} for; null if it was not} */
    public final Object handler() {
        return handler;
    }

    /** For whoever dispatches it, when the hook has ended: what that has not asked for, nobody can ask for any more. */
    public final void closeUntaken() {
        if (!taken) {
            abandon();
        }
    }

    /** For demultiplexers: nobody will ever get the connection or file that it brings. */
    protected final void abandon() {
        if (resource instanceof SocketStream stream) {
            stream.close();
        } else if (resource instanceof FileHandle file) {
            file.close();
        }
    }

    /** {@return what the operation did} */
    public final OperationType type() {
        return type;
    }

    /** {@return the handle of the operation, null if it had none} */
    public final Handle handle() {
        return association == null ? null : association.handle();
    }

    /** {@return what the initiator started the operation with} */
    public final Object token() {
        return token;
    }

    /** {@return how it ended} */
    public final CompletionStatus status() {
        return result >= 0 ? CompletionStatus.SUCCEEDED
                : Errno.ECANCELED.is(result) ? CompletionStatus.CANCELLED : CompletionStatus.FAILED;
    }

    /** {@return whether it did what was asked for} */
    public final boolean isSuccess() {
        return result >= 0;
    }

    /**
     * {@return the bytes received, sent, read or written; -1 at the end of a stream or file, as from a facade's
     * {@code receive} and {@code read}; 0 unless it succeeded: then the positions of the buffers tell what was
     * transferred all the same}
     */
    public final long bytesTransferred() {
        return isEnd() ? SocketStream.END_OF_STREAM : Math.max(result, 0);
    }

    /** {@return what a {@link OperationType#POST} was given, or the events that a {@link OperationType#POLL} saw} */
    public final long result() {
        return Math.max(result, 0);
    }

    /**
     * {@return where in the file a {@link OperationType#READ}, {@link OperationType#WRITE} or
     * {@link OperationType#TRANSMIT_FILE} began, in bytes; 0 for other types}
     */
    public final long position() {
        return position;
    }

    /** {@return whether this is the end of a stream or file} */
    public final boolean isEnd() {
        return result == 0 && switch (type) {
            case RECEIVE, RECEIVE_CONTINUOUSLY, READ -> true;
            default -> false;
        };
    }

    /** {@return whether the operation is over; a continuous one has completions that are not the last} */
    public final boolean isLast() {
        return last;
    }

    /**
     * {@return why it failed or that it was cancelled, null if it succeeded; made when it is asked for}
     */
    public final IOException error() {
        if (error == null && result < 0) {
            error = new SystemCallException(type.call(),
                    Operation.subjectOfError(type, association, subject, peer), result);
        }
        return error;
    }

    /**
     * {@return the connection that was accepted or made, null if there is none; owned by the handler from this call on,
     * without which it is closed when the hook ends}
     */
    public final SocketStream stream() {
        taken = true;
        return resource instanceof SocketStream stream ? stream : null;
    }

    /**
     * {@return the file that was opened, null if there is none; owned by the handler from this call on, without which
     * it is closed when the hook ends}
     */
    public final FileHandle file() {
        taken = true;
        return resource instanceof FileHandle file ? file : null;
    }

    /**
     * {@return what a continuous receive received, valid inside the hook unless it is kept; null if there is nothing}
     */
    public final ProvidedBuffer buffer() {
        return resource instanceof ProvidedBuffer buffer ? buffer : null;
    }

    /** {@return for example {@code RECEIVE tcp 127.0.0.1:7007 (fd 12): 64}} */
    @Override
    public final String toString() {
        return type + " " + handle() + ": " + (result >= 0 ? String.valueOf(result) : Errno.describe(result));
    }
}
