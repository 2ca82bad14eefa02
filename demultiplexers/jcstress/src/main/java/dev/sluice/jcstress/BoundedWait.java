package dev.sluice.jcstress;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A wait of a stand-in instead of the system: for a signal, of which several count as one. A wait without a timeout
 * ends here, too, after a limit; it then counts as forgotten.
 */
public final class BoundedWait {

    private final Semaphore signals = new Semaphore(0);
    private volatile boolean forgotten;

    /** Ends a wait, one that is going on or else the next one. From any thread. */
    public void signal() {
        signals.release();
    }

    /**
     * Waits for a signal, and takes all there are.
     *
     * @param timeoutNanos negative for as long as it takes
     * @return whether there was one
     */
    public boolean await(long timeoutNanos) {
        boolean endless = timeoutNanos < 0;
        try {
            boolean signalled = signals.tryAcquire(endless ? WaitLimit.nanos() : timeoutNanos, TimeUnit.NANOSECONDS);
            if (signalled) {
                signals.drainPermits();
            } else if (endless) {
                WaitLimit.reached();
                forgotten = true;
            }
            return signalled;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return whether a wait without a timeout has reached the limit} */
    public boolean isForgotten() {
        return forgotten;
    }
}
