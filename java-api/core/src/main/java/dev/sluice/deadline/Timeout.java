package dev.sluice.deadline;

import java.time.Duration;

/**
 * How long a wait may take, as a number of nanoseconds; negative means forever. For waits that are repeated until the
 * time is over, without an object for each: see {@link #left}.
 */
public final class Timeout {

    /** Never over. */
    public static final long FOREVER = -1;

    /**
     * A century, in nanoseconds: added to any {@link System#nanoTime()}, or to a clock of the operating system, it can
     * still be compared.
     */
    public static final long LONGEST = Duration.ofDays(100 * 365).toNanos();

    private static final long NANOS_PER_MILLI = 1_000_000;

    private Timeout() {
    }

    /**
     * Converts a duration.
     *
     * @param name     the name of the parameter, for the message
     * @param duration of any length
     * @return in nanoseconds, a century at most
     * @throws IllegalArgumentException if it is negative
     */
    public static long nanos(String name, Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(name + ": " + duration + " is negative");
        }
        return duration.getSeconds() < LONGEST / 1_000_000_000 ? duration.toNanos() : LONGEST;
    }

    /**
     * Turns a timeout that is too long to be compared into an endless one.
     *
     * @return the same, or {@link #FOREVER}
     */
    public static long bounded(long timeoutNanos) {
        return timeoutNanos < 0 || timeoutNanos >= LONGEST ? FOREVER : timeoutNanos;
    }

    /**
     * Begins a wait.
     *
     * @return when it begins, for {@link #left}; reads the clock only if that will matter
     */
    public static long begin(long timeoutNanos) {
        return timeoutNanos > 0 ? System.nanoTime() : 0;
    }

    /**
     * How much longer to wait, after a wait that has ended without a result.
     *
     * @param begin its {@link #begin}
     * @return in nanoseconds, 0 if the time is over; negative means forever
     */
    public static long left(long timeoutNanos, long begin) {
        return timeoutNanos <= 0 ? timeoutNanos : Math.max(0, timeoutNanos - (System.nanoTime() - begin));
    }

    /**
     * The timeout of {@code poll} and {@code epoll_wait}, rounded up: a wait that ends early would find its timers not
     * due yet, and spin.
     *
     * @return in milliseconds, -1 for forever; capped at the longest that an {@code int} holds
     */
    public static int millis(long nanos) {
        if (nanos < 0) {
            return -1;
        }
        long millis = nanos / NANOS_PER_MILLI + (nanos % NANOS_PER_MILLI == 0 ? 0 : 1);
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }
}
