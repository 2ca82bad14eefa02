package dev.sluice.failure;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries after an {@link OutOfMemoryError}. A native call allocates a little heap before it gets to the system, so
 * while another thread, usually for a single request, has taken all of it, calls fail without having been made. An
 * instance represents the waits of a loop, and is used by one thread at a time.
 */
public final class MemoryShortage {

    private static final Logger LOG = LoggerFactory.getLogger(MemoryShortage.class);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private boolean inProgress;
    private long began;

    /** Creates a shortage without a failed wait. */
    public MemoryShortage() {
    }

    /** Sleeps for a moment, in which other threads may free memory; an interrupt does not end it. */
    public static void pause() {
        boolean interrupted = Thread.interrupted();
        LockSupport.parkNanos(PAUSE_NANOS);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Runs an action that no other thread would run later, and repeats it while it throws an {@link OutOfMemoryError}.
     *
     * @param action the action
     * @throws OutOfMemoryError the error, if the action still throws it after a second
     */
    public static void retryUntilAvailable(Runnable action) {
        long begin = System.nanoTime();
        while (true) {
            try {
                action.run();
                return;
            } catch (OutOfMemoryError e) {
                if (System.nanoTime() - begin > PATIENCE_NANOS) {
                    throw e;
                }
            }
            pause();
        }
    }

    /**
     * Called when a wait has failed. Returns after a pause, so that the caller can wait again.
     *
     * @param failure the error that the wait has thrown
     * @throws OutOfMemoryError the failure, if all waits have failed for a second
     */
    public void pauseBeforeRetry(OutOfMemoryError failure) {
        long now = System.nanoTime();
        if (!inProgress) {
            inProgress = true;
            began = now;
        } else if (now - began > PATIENCE_NANOS) {
            inProgress = false;
            throw failure;
        }
        pause();
    }

    /** Called when a wait has not failed. */
    public void end() {
        if (inProgress) {
            inProgress = false;
            log(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        }
    }

    /** Logs a shortage when it is over, because logging takes memory. */
    private static void log(long millis) {
        try {
            LOG.warn("{} could not wait for events for {} ms: out of memory", Thread.currentThread(), millis);
        } catch (OutOfMemoryError e) {
            // The shortage continues, and its next end will be logged.
            return;
        }
    }
}
