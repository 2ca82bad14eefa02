package dev.sluice.demultiplexer.operation;

import dev.sluice.hook.HookFailure;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call whose duration depends on another process, and that its operation does not wait for once it is cancelled. It
 * uses nothing that belongs to the operation or its processor, which may be closed when it returns; its thread then
 * releases the result. Submitted once.
 */
public abstract class DetachableCall extends PooledCall {

    private enum Fate { UNDECIDED, ARRIVED, ABANDONED }

    private static final Logger LOG = LoggerFactory.getLogger(DetachableCall.class);

    private final AtomicReference<Fate> fate = new AtomicReference<>(Fate.UNDECIDED);

    /**
     * Creates a call that has not been submitted.
     *
     * @param operation it is made for
     */
    protected DetachableCall(OperationSlot operation) {
        super(operation);
    }

    /**
     * Releases the result of the call, which no operation takes. May be called by a thread of the pool, even after the
     * processor has been closed.
     *
     * @param got what {@link #make} returned
     */
    protected abstract void giveBack(long got);

    @Override
    final boolean arrives() {
        if (fate.compareAndSet(Fate.UNDECIDED, Fate.ARRIVED)) {
            return true;
        }
        discard();
        return false;
    }

    @Override
    final boolean abandon() {
        return fate.compareAndSet(Fate.UNDECIDED, Fate.ABANDONED);
    }

    @Override
    final boolean isAbandoned() {
        return fate.get() == Fate.ABANDONED;
    }

    @Override
    final void discard() {
        Throwable failure = takeFailure();
        try {
            if (failure == null) {
                giveBack(result());
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        if (failure != null) {
            HookFailure.log(LOG, "the call of a cancelled operation has failed", failure);
        }
    }
}
