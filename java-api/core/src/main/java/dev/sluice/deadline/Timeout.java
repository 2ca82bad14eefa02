package dev.sluice.deadline;

import java.time.Duration;

/**
 * Static methods for timeouts, which are numbers of nanoseconds; negative ones are unbounded. For waits that are
 * repeated until the timeout elapses, without allocating: see {@link #remaining}.
 */
public final class Timeout {

    /** An unbounded timeout. */
    public static final long FOREVER = -1;

    /**
     * Maximum bounded timeout in nanoseconds: a century. Its sum with {@link System#nanoTime()}, or with a clock of the
     * operating system, does not overflow.
     */
    public static final long MAX_NANOS = Duration.ofDays(100 * 365).toNanos();

    private static final long NANOS_PER_MILLI = 1_000_000;

    private Timeout() {
    }

    /**
     * Converts a duration.
     *
     * @param name     the name of the parameter, for the message
     * @param duration a duration of any length
     * @return the duration in nanoseconds, at most a century
     * @throws IllegalArgumentException if it is negative
     */
    public static long nanos(String name, Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(name + ": " + duration + " is negative");
        }
        return duration.getSeconds() < MAX_NANOS / 1_000_000_000 ? duration.toNanos() : MAX_NANOS;
    }

    /**
     * Converts a timeout of a century or more to an unbounded one.
     *
     * @return the timeout, or {@link #FOREVER}
     */
    public static long bounded(long timeoutNanos) {
        return timeoutNanos < 0 || timeoutNanos >= MAX_NANOS ? FOREVER : timeoutNanos;
    }

    /**
     * Returns the start time of a wait.
     *
     * @return the start time, for {@link #remaining}; the clock is read only for timeouts that need it
     */
    public static long begin(long timeoutNanos) {
        return timeoutNanos > 0 ? System.nanoTime() : 0;
    }

    /**
     * Returns the remaining time, after a wait that has ended without a result.
     *
     * @param begin the result of {@link #begin}
     * @return the remaining time in nanoseconds, 0 if the timeout has elapsed; negative if it is unbounded
     */
    public static long remaining(long timeoutNanos, long begin) {
        return timeoutNanos <= 0 ? timeoutNanos : Math.max(0, timeoutNanos - (System.nanoTime() - begin));
    }

    /**
     * Converts a timeout for {@code poll} and {@code epoll_wait}. It is rounded up: after a wait that ends early,
     * timers would not be due yet, and the loop would spin.
     *
     * @return the timeout in milliseconds, at most {@link Integer#MAX_VALUE}; -1 if it is unbounded
     */
    public static int millis(long nanos) {
        if (nanos < 0) {
            return -1;
        }
        long millis = nanos / NANOS_PER_MILLI + (nanos % NANOS_PER_MILLI == 0 ? 0 : 1);
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }
}
