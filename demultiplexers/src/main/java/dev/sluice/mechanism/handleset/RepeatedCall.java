package dev.sluice.mechanism.handleset;

import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A call that gets a waiter's attention and that nobody else would make again. What a system refuses for lack of memory
 * it usually accepts a moment later, whereas the waiter would sleep forever.
 */
public final class RepeatedCall {

    private static final int ATTEMPTS = 100;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private RepeatedCall() {
    }

    /**
     * Repeats a call until the system accepts it, for up to half a second. An interrupt cuts that short.
     *
     * @param call throws {@link UncheckedIOException} if the system refuses, and {@link OutOfMemoryError} if there is
     *             no memory for the call itself; the last refusal is rethrown
     */
    public static void run(Runnable call) {
        for (int left = ATTEMPTS; left > 1; left--) {
            try {
                call.run();
                return;
            } catch (UncheckedIOException | OutOfMemoryError e) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        call.run();
    }
}
