package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import org.jspecify.annotations.Nullable;

/**
 * A call that a thread of a {@link FilePool} makes for an operation. The operation waits until the call has returned,
 * because the thread uses its buffers until then. May be submitted again after that.
 */
public abstract class PooledCall {

    private final OperationSlot operation;
    private long result;
    private @Nullable Throwable failure;
    /**
     * The call that returned before this one, if that has not been taken yet; or the next one that has been taken back
     * from a thread.
     */
    @Nullable PooledCall nextPerformed;

    // The place in the queue of a pool
    int priority;
    long number;

    /**
     * Creates a call that has not been submitted.
     *
     * @param operation the operation that the call is made for
     */
    protected PooledCall(OperationSlot operation) {
        this.operation = operation;
    }

    /** {@return the operation that the call is made for} */
    final OperationSlot operation() {
        return operation;
    }

    // Called by a thread of the pool

    /** {@return the result of the call, or a negated error number} */
    protected abstract long make();

    final void perform() {
        try {
            failure = null;
            result = isAbandoned() ? -Errno.ECANCELED.number() : make();
        } catch (RuntimeException | Error e) {
            failure = e;
            result = -Errno.EIO.number();
        }
    }

    /**
     * {@return whether the operation still waits for the call and must be continued} Called when the call has returned.
     */
    boolean arrives() {
        return true;
    }

    // Called by the thread inside

    /** {@return whether the operation need not wait for the call any more, although a thread is making it} */
    boolean abandon() {
        return false;
    }

    /** {@return whether the operation no longer waits for the call, so that a close need not wait for the thread} */
    boolean isAbandoned() {
        return false;
    }

    /** Called when the call has returned and no operation takes its result. */
    void discard() {
        if (takeFailure() == null) {
            releaseResult(result);
        }
    }

    /**
     * Releases the result of a call whose operation does not take it. May be called by any thread, even after the
     * processor has been closed.
     *
     * @param got the result of {@link #make}
     */
    protected void releaseResult(long got) {
        // By default, it is only a number.
    }

    /** Continues the operation after the call. An exception of either fails the operation. */
    final void resume(Outcomes outcomes) {
        Throwable thrown = takeFailure();
        if (thrown == null) {
            try {
                Execution<?> execution = operation.execution();
                assert execution != null;
                execution.performed(result);
                return;
            } catch (RuntimeException | Error e) {
                thrown = e;
            }
        }
        outcomes.failed(operation, thrown);
    }

    /** {@return the result of the call} */
    final long result() {
        return result;
    }

    /** {@return the exception of the call, which this method forgets; null if there is none} */
    final @Nullable Throwable takeFailure() {
        Throwable thrown = failure;
        failure = null;
        return thrown;
    }

    /** {@return the next call in the list from {@link FilePool#takePerformed}, which this method unlinks; or null} */
    final @Nullable PooledCall takeNextPerformed() {
        PooledCall next = nextPerformed;
        nextPerformed = null;
        return next;
    }
}
