package dev.sluice.failure;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries after an {@link OutOfMemoryError}. A native call allocates a little heap first, so calls fail while another
 * thread has taken all of it, usually for a single request. An instance is for the waits of a loop, and confined to one
 * thread at a time.
 */
public final class OutOfMemoryRetry {

    private static final Logger LOG = LoggerFactory.getLogger(OutOfMemoryRetry.class);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private boolean inProgress;
    private long began;

    /** Creates an object without a failed wait. */
    public OutOfMemoryRetry() {
    }

    /** Sleeps for 10 ms, in which other threads may free memory. An interrupt does not end the pause. */
    public static void pause() {
        boolean interrupted = Thread.interrupted();
        LockSupport.parkNanos(PAUSE_NANOS);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Runs an action, and repeats it while it throws an {@link OutOfMemoryError}.
     *
     * @param action the action
     * @throws OutOfMemoryError if the action still throws it after a second
     */
    public static void retryUntilAvailable(Runnable action) {
        long begin = System.nanoTime();
        while (true) {
            try {
                action.run();
                return;
            } catch (OutOfMemoryError e) {
                if (System.nanoTime() - begin > TIMEOUT_NANOS) {
                    throw e;
                }
            }
            pause();
        }
    }

    /**
     * Called when a wait has failed. Pauses before the caller waits again.
     *
     * @param failure the error that the wait has thrown
     * @throws OutOfMemoryError the failure, if all waits of a second have failed
     */
    public void pauseBeforeRetry(OutOfMemoryError failure) {
        long now = System.nanoTime();
        if (!inProgress) {
            inProgress = true;
            began = now;
        } else if (now - began > TIMEOUT_NANOS) {
            inProgress = false;
            throw failure;
        }
        pause();
    }

    /** Called when a wait has succeeded. */
    public void end() {
        if (inProgress) {
            inProgress = false;
            log(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        }
    }

    /** Logs the failed waits; called when one has succeeded, because logging takes memory. */
    private static void log(long millis) {
        try {
            LOG.warn("{} could not wait for events for {} ms: out of memory", Thread.currentThread(), millis);
        } catch (OutOfMemoryError e) {
            // There is still no memory for logging; the next failures will be logged.
            return;
        }
    }
}
