package dev.sluice.demultiplexer.handleset;

import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Repeats a call that wakes up a waiter until the system accepts it. No other thread would repeat the call, and the
 * waiter would sleep forever. A call that the system refuses for lack of memory usually succeeds a moment later.
 */
public final class RepeatedCall {

    private static final int ATTEMPTS = 100;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private RepeatedCall() {
    }

    /**
     * Repeats a call until the system accepts it, for up to half a second, or for less if the thread is interrupted.
     *
     * @param call the call, which throws {@link UncheckedIOException} if the system refuses it, and
     *             {@link OutOfMemoryError} if there is no memory for it; the last exception is rethrown
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
     * As {@link #run}, for a call that ends the waits of a set that has been closed. If the system refuses for longer
     * than half a second, a new thread repeats the call until the system accepts it, unless there is no memory for a
     * thread.
     *
     * @param call as for {@link #run}; any thread may run it, and it does nothing once the last waiter has left
     */
    public static void runUntilAccepted(Runnable call) {
        try {
            run(call);
        } catch (UncheckedIOException | OutOfMemoryError e) {
            repeatInBackground(call, e);
            throw e;
        }
    }

    /**
     * As {@link #runUntilAccepted(Runnable)}, for a call that uses resources that the last waiter closes.
     *
     * @param waiters counts the threads inside; the call is not made once the last of them has left
     * @param call    as for {@link #run}; any thread may run it
     */
    public static void runUntilAccepted(UseCount waiters, Runnable call) {
        runUntilAccepted(() -> {
            if (waiters.enterWhileInUse()) {
                try {
                    call.run();
                } finally {
                    waiters.leave();
                }
            }
        });
    }

    private static void repeatInBackground(Runnable call, Throwable refusal) {
        try {
            Thread thread = new Thread(() -> repeat(call), "sluice-close");
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError e) {
            refusal.addSuppressed(e);
        }
    }

    private static void repeat(Runnable call) {
        for (long pause = PAUSE_NANOS;; pause = Math.min(2 * pause, MAX_PAUSE_NANOS)) {
            LockSupport.parkNanos(pause);
            try {
                call.run();
                return;
            } catch (UncheckedIOException | OutOfMemoryError e) {
                // The close has thrown the first exception.
            }
        }
    }
}
