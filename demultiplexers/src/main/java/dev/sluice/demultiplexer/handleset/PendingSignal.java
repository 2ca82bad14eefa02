package dev.sluice.demultiplexer.handleset;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a signal is pending for a waiter, so that no further one needs to be given. It is pending once the system has
 * accepted it: until then other threads give one themselves, because the first may be refused. Any thread may use it.
 */
public final class PendingSignal {

    private static final Object GIVEN = new Object();

    /** Null if there is none, {@link #GIVEN}, or the thread that is giving one. */
    private final AtomicReference<Object> state = new AtomicReference<>();

    /** Starts without a signal. */
    public PendingSignal() {
    }

    /**
     * Gives the signal, unless one is pending.
     *
     * @param signal throws if the system refuses
     */
    public void give(Runnable signal) {
        if (begin()) {
            boolean given = false;
            try {
                signal.run();
                given = true;
            } finally {
                ended(given);
            }
        }
    }

    /** {@return whether the caller must give the signal, and then call {@link #ended}} */
    boolean begin() {
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
     * The caller has tried to give the signal. If a waiter has taken a signal in the meantime, it may have been this
     * one, so the next is given in any case.
     *
     * @param given whether the system has accepted it
     */
    void ended(boolean given) {
        state.compareAndSet(Thread.currentThread(), given ? GIVEN : null);
    }

    /** A waiter has taken the pending signal, and will look for the reasons afterwards. */
    public void taken() {
        state.set(null);
    }
}
