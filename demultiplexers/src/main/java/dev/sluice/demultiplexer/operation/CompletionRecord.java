package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;

/**
 * A completion: filled inside, passed through a {@link CompletionQueue}, where records are linked, and read by the
 * thread that collects it. It has a copy of what its operation was asked for, since the operation may be in flight
 * again by then.
 */
final class CompletionRecord implements Completion {

    /** The next record in its queue or line, or among the spare ones. */
    CompletionRecord next;
    /** Number of completions that arrived at its queue before it. */
    long arrival;

    OperationSlot operation;
    private OperationType type;
    HandleAssociation association;
    private Object handler;
    private Object token;
    /** Or a negated error number. */
    long result;
    private long position;
    private Object resource;
    private boolean last;
    /** Whether the connection or the file has been asked for. */
    private boolean taken;
    // What a failure is about
    private Object subject;
    private PeerAddress peer;
    private String advice;
    private Throwable cause;
    private IOException error;

    /**
     * Records the outcome of an operation.
     *
     * @param of      the operation
     * @param value   the result, as for {@link dev.sluice.demultiplexer.spi.Completions#result}
     * @param brought a {@link SocketStream}, a {@link FileHandle}, a {@link ProvidedBuffer}, or null
     * @param isLast  whether the operation is over
     */
    void fill(OperationSlot of, long value, Object brought, boolean isLast) {
        operation = of;
        type = of.type();
        association = of.association();
        handler = of.handler;
        token = of.token;
        result = value;
        position = of.arguments().position;
        resource = brought;
        last = isLast;
        taken = false;
        if (value < 0) {
            subject = of.arguments().subject();
            peer = of.arguments().remote();
            advice = of.arguments().advice(value);
            cause = of.failure;
            of.failure = null;
        }
    }

    /** Makes the batch release the provided buffer, if there is one, unless it is retained. */
    void collectedBy(CollectedCompletions batch) {
        if (resource instanceof PooledBuffer buffer) {
            buffer.collectedBy(batch);
        }
        end();
    }

    /** It is being handed to the thread that collects it; if it is the last one, the operation is over. */
    void end() {
        if (last) {
            operation.collected();
        }
    }

    /** Drops its references to the operation and its results. */
    void forget() {
        operation = null;
        association = null;
        handler = null;
        token = null;
        resource = null;
        subject = null;
        peer = null;
        advice = null;
        cause = null;
        error = null;
    }

    @Override
    public OperationType type() {
        return type;
    }

    @Override
    public Handle handle() {
        return association == null ? null : association.handle();
    }

    @Override
    public Object handler() {
        // Looked up this late, so that a new handler gets what has come for the old one and has not been dispatched.
        return association == null ? handler : association.currentHandler(handler);
    }

    @Override
    public Object token() {
        return token;
    }

    @Override
    public boolean isSuccess() {
        return result >= 0;
    }

    @Override
    public boolean isCancelled() {
        return Errno.ECANCELED.is(result);
    }

    @Override
    public long result() {
        return Math.max(result, 0);
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public boolean isLast() {
        return last;
    }

    @Override
    public IOException error() {
        if (error == null && result < 0) {
            error = new SystemCallException(type.call(),
                    Arguments.subjectOfError(association, subject, peer), result, advice);
            if (cause != null) {
                error.initCause(cause);
            }
        }
        return error;
    }

    @Override
    public SocketStream stream() {
        taken = true;
        return resource instanceof SocketStream stream ? stream : null;
    }

    @Override
    public FileHandle file() {
        taken = true;
        return resource instanceof FileHandle file ? file : null;
    }

    @Override
    public ProvidedBuffer buffer() {
        return resource instanceof ProvidedBuffer buffer ? buffer : null;
    }

    @Override
    public void closeUnclaimed() {
        if (!taken) {
            close(resource);
        }
    }

    /** Closes a connection or a file that no handler will get; anything else stays as it is. */
    static void close(Object resource) {
        if (resource instanceof SocketStream stream) {
            stream.close();
        } else if (resource instanceof FileHandle file) {
            file.close();
        }
    }

    /** {@return for example {@code RECEIVE tcp 127.0.0.1:7007 (fd 12): 64}} */
    @Override
    public String toString() {
        return type + " " + handle() + ": " + (result >= 0 ? String.valueOf(result) : Errno.describe(result));
    }
}
