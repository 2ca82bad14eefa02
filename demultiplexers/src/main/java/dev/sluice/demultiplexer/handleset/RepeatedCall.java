package dev.sluice.demultiplexer.handleset;

import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Repeats a call that wakes up a waiter, because no other thread would repeat it and the waiter would sleep forever. A
 * call that the system refuses for lack of memory usually succeeds a moment later.
 */
public final class RepeatedCall {

    private static final int ATTEMPTS = 100;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

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

    /**
     * As {@link #run}, for a call that ends the waits of a set which is closed. No later call does that, so if the
     * system refuses for longer than half a second, a thread repeats the call until the system accepts it, unless there
     * is no memory for a thread.
     *
     * @param call as for {@link #run}; any thread may run it, and it does nothing once the last waiter has left
     */
    public static void runUntilAccepted(Runnable call) {
        try {
            run(call);
        } catch (UncheckedIOException | OutOfMemoryError e) {
            goOn(call, e);
            throw e;
        }
    }

    /**
     * As {@link #runUntilAccepted(Runnable)}, for a call that needs what the last waiter disposes of.
     *
     * @param waiters those inside; the call is not made once the last of them has left
     * @param call    as for {@link #run}; any thread may run it
     */
    public static void runUntilAccepted(UseCount waiters, Runnable call) {
        runUntilAccepted(() -> {
            if (waiters.enterAmongTheLast()) {
                try {
                    call.run();
                } finally {
                    waiters.leave();
                }
            }
        });
    }

    private static void goOn(Runnable call, Throwable refusal) {
        try {
            Thread thread = new Thread(() -> repeat(call), "sluice-close");
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError e) {
            refusal.addSuppressed(e);
        }
    }

    private static void repeat(Runnable call) {
        for (long pause = PAUSE_NANOS;; pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS)) {
            LockSupport.parkNanos(pause);
            try {
                call.run();
                return;
            } catch (UncheckedIOException | OutOfMemoryError e) {
                // The close has thrown the first one.
            }
        }
    }
}
