package dev.sluice.eventloop;

import java.time.Duration;

/** Durations as the event loop counts them. */
final class Nanoseconds {

    // So that the sum with any nanoTime can still be compared with any other.
    private static final Duration LONGEST = Duration.ofDays(100 * 365);

    private Nanoseconds() {
    }

    static long of(String name, Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(name + ": " + duration + " is negative");
        }
        return (duration.compareTo(LONGEST) < 0 ? duration : LONGEST).toNanos();
    }
}
