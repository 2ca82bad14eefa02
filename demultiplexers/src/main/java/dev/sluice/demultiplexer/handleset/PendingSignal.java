package dev.sluice.demultiplexer.handleset;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Records whether a signal is pending for a waiter, so that no further one is needed. A signal is pending once the
 * system has accepted it: until then other threads give one themselves, because the system may refuse the first. May be
 * used by any thread.
 */
public final class PendingSignal {

    private static final Object GIVEN = new Object();

    /** Null if no signal is pending; {@link #GIVEN}; or the thread that is giving a signal. */
    private final AtomicReference<Object> state = new AtomicReference<>();

    /** Creates an instance without a pending signal. */
    public PendingSignal() {
    }

    /**
     * Gives the signal, unless one is pending.
     *
     * @param signal gives the signal; throws if the system refuses
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
     * Ends an attempt to give the signal. If a waiter has taken a signal in the meantime, it may have been this one, so
     * the next signal is given in any case.
     *
     * @param given whether the system has accepted it
     */
    void ended(boolean given) {
        state.compareAndSet(Thread.currentThread(), given ? GIVEN : null);
    }

    /** Called by a waiter that has taken the pending signal, and checks for its reasons afterwards. */
    public void taken() {
        state.set(null);
    }
}
