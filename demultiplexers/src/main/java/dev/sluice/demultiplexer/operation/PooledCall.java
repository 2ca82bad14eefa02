package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;

/**
 * A call that a thread of a {@link FilePool} makes for an operation, which waits until it has returned: until then the
 * thread uses what belongs to the operation. May be submitted again and again, one at a time.
 */
public abstract class PooledCall {

    private final OperationSlot operation;
    private long result;
    private Throwable failure;
    /** The call that was performed before this one, if that has not been taken yet. */
    PooledCall nextPerformed;

    // Its place among those that wait for a thread
    int priority;
    long number;

    /**
     * Creates a call that has not been submitted.
     *
     * @param operation it is made for
     */
    protected PooledCall(OperationSlot operation) {
        this.operation = operation;
    }

    /** {@return what it is made for} */
    final OperationSlot operation() {
        return operation;
    }

    // Called by a thread of the pool

    /** {@return what the system returned, or a negated error number} */
    protected abstract long make();

    final void perform() {
        try {
            failure = null;
            result = make();
        } catch (RuntimeException | Error e) {
            failure = e;
            result = -Errno.EIO.number();
        }
    }

    /**
     * {@return whether the operation still waits for the call and must be continued; called once the call has been
     * performed}
     */
    boolean arrives() {
        return true;
    }

    // Called by the thread inside

    /** {@return whether the operation need not wait for it any more, although a thread is performing it} */
    boolean abandon() {
        return false;
    }

    /** {@return whether no operation waits for the call, so that its thread need not be awaited either} */
    boolean isAbandoned() {
        return false;
    }

    /** It has been performed, and its result will never be taken. */
    void discard() {
    }

    /** Goes on with the operation after the call, which may fail like the call itself. */
    final void resume(Outcomes outcomes) {
        Throwable thrown = takeFailure();
        if (thrown == null) {
            try {
                operation.execution().performed(result);
                return;
            } catch (RuntimeException | Error e) {
                thrown = e;
            }
        }
        outcomes.failed(operation, thrown);
    }

    /** {@return the result} */
    final long result() {
        return result;
    }

    /** {@return what it threw, which can be asked for once; null if nothing} */
    final Throwable takeFailure() {
        Throwable thrown = failure;
        failure = null;
        return thrown;
    }

    /** {@return the next of those from {@link FilePool#takePerformed}, which can be asked for once; or null} */
    final PooledCall takeNextPerformed() {
        PooledCall next = nextPerformed;
        nextPerformed = null;
        return next;
    }
}
