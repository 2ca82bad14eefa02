package dev.sluice.stages;

import dev.sluice.deadline.Timeout;
import java.time.Duration;

/** Checks that arguments are within their ranges; the exception names the range. */
final class Ranges {

    private Ranges() {
    }

    static int between(String name, int value, int minimum, int maximum) {
        if (value < minimum || value > maximum) {
            throw new IllegalArgumentException(name + ": " + value + ", must be from " + minimum + " to " + maximum);
        }
        return value;
    }

    static double positive(String name, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + ": " + value + ", must be more than 0");
        }
        return value;
    }

    /** {@return the duration in nanoseconds} */
    static long positive(String name, Duration duration) {
        long nanos = Timeout.nanos(name, duration);
        if (nanos == 0) {
            throw new IllegalArgumentException(name + ": " + duration + ", must be more than 0");
        }
        return nanos;
    }
}
