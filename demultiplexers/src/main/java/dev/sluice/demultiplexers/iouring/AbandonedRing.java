package dev.sluice.demultiplexers.iouring;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * A ring whose only issuer has ended. Nobody can enter it any more, but the kernel cancels a thread's requests when the
 * thread ends, and puts their completions where they can be seen without a call.
 */
final class AbandonedRing {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private AbandonedRing() {
    }

    /**
     * Waits for completions.
     *
     * @param ring    the ring
     * @param issuer  who has ended, or is about to
     * @param take    takes completions out
     * @param abandon told the user data of each request that the kernel has never seen
     */
    static void await(Ring ring, Thread issuer, Runnable take, LongConsumer abandon) {
        for (int left = ring.pendingSubmissions(); left > 0; left--) {
            abandon.accept(ring.withdrawSubmission());
        }
        if (ring.completions() == 0) {
            LockSupport.parkNanos(issuer, PAUSE_NANOS);
        }
        take.run();
    }
}
