package dev.sluice.mechanism.handleset;

import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A call that gets a waiter's attention and that nobody makes again. What a system refuses for want of memory it mostly
 * takes a moment later, while the waiter would sleep for ever.
 */
public final class RepeatedCall {

    private static final int ATTEMPTS = 100;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private RepeatedCall() {
    }

    /**
     * Makes a call again and again until the system takes it, for half a second. An interrupt shortens that.
     *
     * @param call throws {@link UncheckedIOException} if the system refuses; so does this with the last refusal
     */
    public static void run(Runnable call) {
        for (int left = ATTEMPTS; left > 1; left--) {
            try {
                call.run();
                return;
            } catch (UncheckedIOException e) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        call.run();
    }
}
