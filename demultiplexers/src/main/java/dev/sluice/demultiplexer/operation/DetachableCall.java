package dev.sluice.demultiplexer.operation;

import dev.sluice.hook.HookFailure;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call whose duration depends on another process. A cancelled operation does not wait for it: the call uses nothing
 * that belongs to the operation or the processor, which may be closed when it returns, and the thread of the call then
 * releases the result. Submitted once.
 */
public abstract class DetachableCall extends PooledCall {

    private enum State { UNDECIDED, ARRIVED, ABANDONED }

    private static final Logger LOG = LoggerFactory.getLogger(DetachableCall.class);

    private final AtomicReference<State> state = new AtomicReference<>(State.UNDECIDED);

    /**
     * Creates a call that has not been submitted.
     *
     * @param operation the operation that the call is made for
     */
    protected DetachableCall(OperationSlot operation) {
        super(operation);
    }

    @Override
    protected abstract void releaseResult(long got);

    @Override
    final boolean arrives() {
        if (state.compareAndSet(State.UNDECIDED, State.ARRIVED)) {
            return true;
        }
        discard();
        return false;
    }

    @Override
    final boolean abandon() {
        return state.compareAndSet(State.UNDECIDED, State.ABANDONED);
    }

    @Override
    final boolean isAbandoned() {
        return state.get() == State.ABANDONED;
    }

    @Override
    final void discard() {
        Throwable failure = takeFailure();
        try {
            if (failure == null) {
                releaseResult(result());
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        if (failure != null) {
            HookFailure.log(LOG, "the call of a cancelled operation has failed", failure);
        }
    }
}
