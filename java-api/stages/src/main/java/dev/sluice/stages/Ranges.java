package dev.sluice.stages;

import dev.sluice.deadline.Timeout;
import java.time.Duration;

/** Checks that arguments are within their ranges; the exception names the range. */
final class Ranges {

    private Ranges() {
    }

    static int between(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + ": " + value + ", must be from " + least + " to " + most);
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
