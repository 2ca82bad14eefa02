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
import dev.sluice.hook.HookFailure;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.attribute.PosixFileAttributes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A completion: filled inside, passed through a {@link CompletionQueue}, where records are linked, and read by the
 * thread that collects it. It has copies of the operation's arguments, because the operation may be in flight again by
 * then.
 */
final class CompletionRecord implements Completion {

    private static final Logger LOG = LoggerFactory.getLogger(CompletionRecord.class);

    /** The next record in the queue or line, or in the list of spare records. */
    @Nullable CompletionRecord next;
    /** The number of completions that arrived at the queue before this one. */
    long arrival;

    @Nullable OperationSlot operation;
    private @Nullable OperationType type;
    @Nullable HandleAssociation association;
    private @Nullable Object handler;
    private @Nullable Object token;
    /** The result, or a negated error number. */
    long result;
    private long position;
    private @Nullable Object resource;
    private boolean last;
    /** Whether a handler has claimed the connection, the file or the lock. */
    private boolean claimed;
    // The call and the subject of an error
    private @Nullable String call;
    private @Nullable Object subject;
    private @Nullable PeerAddress peer;
    private @Nullable String advice;
    private @Nullable Throwable cause;
    private @Nullable IOException error;

    /**
     * Records the outcome of an operation.
     *
     * @param of       the operation
     * @param value    the result, as for {@link dev.sluice.demultiplexer.spi.Completions#result}
     * @param brought a {@link SocketStream}, a {@link FileHandle}, a lock, a {@link PosixFileAttributes}, a
     *                {@link ProvidedBuffer}, or null
     * @param isLast  whether the operation is over
     */
    void fill(OperationSlot of, long value, @Nullable Object brought, boolean isLast) {
        operation = of;
        type = of.type();
        association = of.association();
        handler = of.handler;
        token = of.token;
        result = value;
        position = of.arguments().position;
        resource = brought;
        last = isLast;
        claimed = false;
        if (value < 0) {
            call = of.arguments().call();
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

    /**
     * Called when the completion is handed to the thread that collects it; if it is the last one, the operation is
     * over.
     */
    void end() {
        if (last) {
            assert operation != null;
            operation.collected();
        }
    }

    /** Drops the references to the operation and its results. */
    void forget() {
        operation = null;
        association = null;
        handler = null;
        token = null;
        resource = null;
        call = null;
        subject = null;
        peer = null;
        advice = null;
        cause = null;
        error = null;
    }

    @Override
    public OperationType type() {
        assert type != null;
        return type;
    }

    @Override
    public @Nullable Handle handle() {
        return association == null ? null : association.handle();
    }

    @Override
    public @Nullable Object handler() {
        // Looked up at the dispatch, so that a new handler gets the completions of its predecessor that have not been
        // dispatched.
        return association == null ? handler : association.currentHandler(handler);
    }

    @Override
    public @Nullable Object token() {
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
    public @Nullable IOException error() {
        if (error == null && result < 0) {
            assert call != null;
            error = new SystemCallException(call,
                    Arguments.subjectOfError(association, subject, peer), result, advice);
            if (cause != null) {
                error.initCause(cause);
            }
        }
        return error;
    }

    @Override
    public @Nullable SocketStream stream() {
        return resource instanceof SocketStream stream ? claim(stream) : null;
    }

    @Override
    public @Nullable FileHandle file() {
        return resource instanceof FileHandle file ? claim(file) : null;
    }

    @Override
    public @Nullable Closeable lock() {
        return isOfLock() && resource instanceof Closeable lock ? claim(lock) : null;
    }

    private <T> T claim(T owned) {
        claimed = true;
        return owned;
    }

    private boolean isOfLock() {
        return type == OperationType.LOCK || type == OperationType.TRY_LOCK;
    }

    @Override
    public @Nullable PosixFileAttributes status() {
        return resource instanceof PosixFileAttributes status ? status : null;
    }

    @Override
    public @Nullable ProvidedBuffer buffer() {
        return resource instanceof ProvidedBuffer buffer ? buffer : null;
    }

    @Override
    public void closeUnclaimed() {
        if (!claimed) {
            close(resource);
        }
    }

    /** Closes a connection, a file or a lock that no handler will get. Other resources are left alone. */
    static void close(@Nullable Object resource) {
        if (resource instanceof Closeable unclaimed) {
            try {
                unclaimed.close();
            } catch (IOException e) {
                // Of a lock. The caller dispatches others as well.
                HookFailure.log(LOG, unclaimed + " was not taken and cannot be ended", e);
            }
        }
    }

    /** {@return for example {@code RECEIVE tcp 127.0.0.1:7007 (fd 12): 64}} */
    @Override
    public String toString() {
        return type + " " + handle() + ": " + (result >= 0 ? String.valueOf(result) : Errno.describe(result));
    }
}
