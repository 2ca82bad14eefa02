package dev.sluice.deadline;

import java.time.Duration;

/** A point in time until which something may wait; one that is centuries away counts as never. */
public final class Deadline {

    /** Never comes. */
    public static final Deadline NEVER = new Deadline(Timeout.FOREVER, 0);

    private final long timeoutNanos;
    private final long begin;

    private Deadline(long timeoutNanos, long begin) {
        this.timeoutNanos = timeoutNanos;
        this.begin = begin;
    }

    /**
     * Sets one.
     *
     * @param timeout from now
     * @return the deadline
     * @throws IllegalArgumentException if the timeout is negative
     */
    public static Deadline in(Duration timeout) {
        long nanos = Timeout.nanos("timeout", timeout);
        return nanos == Timeout.LONGEST ? NEVER : new Deadline(nanos, Timeout.begin(nanos));
    }

    /** {@return whether it never comes} */
    public boolean never() {
        return timeoutNanos < 0;
    }

    /** {@return whether it has passed} */
    public boolean isOver() {
        return left() == 0;
    }

    /** {@return the nanoseconds that are left, 0 when it has passed, negative if it never comes} */
    public long left() {
        return Timeout.left(timeoutNanos, begin);
    }

    /** {@return how many milliseconds {@code poll} may wait, rounded up, but no more than the given ones} */
    public int pollMillis(int patience) {
        return never() ? patience : Math.min(Timeout.millis(left()), patience);
    }
}
