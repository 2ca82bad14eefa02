package dev.sluice.mechanism.handleset;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a signal lies before a waiter, so that further ones need not be given. It does from the moment that the
 * system has taken it: until then the others give one themselves, because it may be refused. For any thread.
 */
public final class PendingSignal {

    private static final Object GIVEN = new Object();

    /** Null if there is none, {@link #GIVEN}, or the thread that gives one. */
    private final AtomicReference<Object> state = new AtomicReference<>();

    /** Makes one for a waiter without a signal. */
    public PendingSignal() {
    }

    /** {@return whether the caller has to give the signal, and then to tell that it has {@link #ended}} */
    public boolean begin() {
        Object seen = state.get();
        if (seen == GIVEN) {
            return false;
        }
        if (seen == null) {
            state.compareAndSet(null, Thread.currentThread());
        }
        return true;
    }

    /**
     * The caller has tried to give the signal. Where a waiter has taken one meanwhile, it may have been this one, and
     * the next is given in any case.
     *
     * @param given whether the system has taken it
     */
    public void ended(boolean given) {
        state.compareAndSet(Thread.currentThread(), given ? GIVEN : null);
    }

    /** A waiter has taken what there was, and looks for the reasons after this. */
    public void taken() {
        state.set(null);
    }
}
