package dev.sluice.failure;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets a thread over a lack of heap. A native call takes a little of it before it gets to the system, so while somebody
 * else, usually a single request, has all of it, calls fail without having been made. An object stands for the waits of
 * a loop, and is used by one thread at a time.
 */
public final class MemoryShortage {

    private static final Logger LOG = LoggerFactory.getLogger(MemoryShortage.class);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private boolean lasts;
    private long began;

    /** There is none at first. */
    public MemoryShortage() {
    }

    /** Gives others a moment to let go of memory; an interrupt does not end it. */
    public static void pause() {
        boolean interrupted = Thread.interrupted();
        LockSupport.parkNanos(PAUSE_NANOS);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Does what nobody else would do, again and again while there is no memory for it.
     *
     * @param action what to do
     * @throws OutOfMemoryError what it throws, if that goes on for a second
     */
    public static void outlast(Runnable action) {
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
     * A wait has failed. Returns after a pause, so that the next one can be tried.
     *
     * @param failure what it has thrown
     * @throws OutOfMemoryError the failure, if waits have done nothing but fail for a second
     */
    public void outlast(OutOfMemoryError failure) {
        long now = System.nanoTime();
        if (!lasts) {
            lasts = true;
            began = now;
        } else if (now - began > PATIENCE_NANOS) {
            lasts = false;
            throw failure;
        }
        pause();
    }

    /** A wait has not failed. */
    public void end() {
        if (lasts) {
            lasts = false;
            tell(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        }
    }

    /** Told when it is over, because telling takes memory. */
    private static void tell(long millis) {
        try {
            LOG.warn("for want of memory, {} could not wait for events for {} ms", Thread.currentThread(), millis);
        } catch (OutOfMemoryError e) {
            // It goes on, and the next end of it will be told.
            return;
        }
    }
}
