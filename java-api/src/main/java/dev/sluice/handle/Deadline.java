package dev.sluice.handle;

import java.time.Duration;

/** A point in time until which something may wait. Durations that are too long to count in nanoseconds never end. */
final class Deadline {

    private final boolean never;
    private final long nanoTime;

    private Deadline(boolean never, long nanoTime) {
        this.never = never;
        this.nanoTime = nanoTime;
    }

    static Deadline in(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout: " + timeout + " is negative");
        }
        // Half the range, so that the difference to any later nanoTime does not overflow.
        boolean never = timeout.getSeconds() >= Long.MAX_VALUE / 2 / 1_000_000_000L;
        return new Deadline(never, never ? 0 : System.nanoTime() + timeout.toNanos());
    }

    /**
     * For {@code poll}.
     *
     * @param patience the longest to wait at once, in milliseconds
     * @return milliseconds rounded up
     */
    int pollMillis(int patience) {
        if (never) {
            return patience;
        }
        long nanos = Math.max(nanoTime - System.nanoTime(), 0);
        return (int) Math.min(nanos / 1_000_000 + (nanos % 1_000_000 == 0 ? 0 : 1), patience);
    }

    boolean isOver() {
        return !never && nanoTime - System.nanoTime() <= 0;
    }
}
