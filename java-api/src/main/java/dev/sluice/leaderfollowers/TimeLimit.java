package dev.sluice.leaderfollowers;

import java.time.Duration;

/** Until when a thread stays, on the scale of {@link System#nanoTime()}. */
final class TimeLimit {

    static final TimeLimit NEVER = new TimeLimit(true, 0);

    // So that the sum with any nanoTime can still be compared with any other.
    private static final Duration LONGEST = Duration.ofDays(100 * 365);

    private final boolean never;
    private final long end;

    private TimeLimit(boolean never, long end) {
        this.never = never;
        this.end = end;
    }

    static TimeLimit in(Duration timeout) {
        return timeout.compareTo(LONGEST) >= 0
                ? NEVER : new TimeLimit(false, System.nanoTime() + nanos("timeout", timeout));
    }

    /** {@return a duration in nanoseconds, 100 years at most} */
    static long nanos(String name, Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(name + ": " + duration + " is negative");
        }
        return (duration.compareTo(LONGEST) < 0 ? duration : LONGEST).toNanos();
    }

    boolean never() {
        return never;
    }

    boolean isOver() {
        return !never && end - System.nanoTime() <= 0;
    }

    /** {@return nanoseconds, 0 when it is over; negative if it never is} */
    long remaining() {
        return never ? -1 : Math.max(end - System.nanoTime(), 0);
    }
}
