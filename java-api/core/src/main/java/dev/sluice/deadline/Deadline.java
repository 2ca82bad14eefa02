package dev.sluice.deadline;

import java.time.Duration;

/** The point in time until which a thread may wait; if it is centuries away, the wait is unbounded. */
public final class Deadline {

    /** The deadline of an unbounded wait. */
    public static final Deadline NEVER = new Deadline(Timeout.FOREVER, 0);

    private final long timeoutNanos;
    private final long begin;

    private Deadline(long timeoutNanos, long begin) {
        this.timeoutNanos = timeoutNanos;
        this.begin = begin;
    }

    /**
     * Creates a deadline.
     *
     * @param timeout the time from now
     * @return the deadline
     * @throws IllegalArgumentException if the timeout is negative
     */
    public static Deadline in(Duration timeout) {
        long nanos = Timeout.nanos("timeout", timeout);
        return nanos == Timeout.MAX_NANOS ? NEVER : new Deadline(nanos, Timeout.begin(nanos));
    }

    /** {@return whether the wait is unbounded} */
    public boolean never() {
        return timeoutNanos < 0;
    }

    /** {@return whether it has passed} */
    public boolean isOver() {
        return remaining() == 0;
    }

    /** {@return the remaining time in nanoseconds, 0 if the deadline has passed, negative if the wait is unbounded} */
    public long remaining() {
        return Timeout.remaining(timeoutNanos, begin);
    }

    /** {@return the timeout for {@code poll} in milliseconds, rounded up, at most the given number} */
    public int pollMillis(int maxMillis) {
        return never() ? maxMillis : Math.min(Timeout.millis(remaining()), maxMillis);
    }
}
