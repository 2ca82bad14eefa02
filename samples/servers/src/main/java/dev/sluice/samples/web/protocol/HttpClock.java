package dev.sluice.samples.web.protocol;

import java.time.Clock;

/** The time in seconds since 1970, and as HTTP writes it. Thread-safe. */
public final class HttpClock {

    private record Second(long number, byte[] date) { }

    private final Clock clock;
    private volatile Second second = new Second(0, HttpDate.format(0));

    /**
     * Creates a clock.
     *
     * @param clock the clock
     */
    public HttpClock(Clock clock) {
        this.clock = clock;
    }

    long seconds() {
        return Math.floorDiv(clock.millis(), 1000L);
    }

    /** The date is formatted once a second. Two threads may both do it, with the same result. */
    byte[] date() {
        long number = seconds();
        Second current = second;
        if (current.number != number) {
            current = new Second(number, HttpDate.format(number));
            second = current;
        }
        return current.date;
    }
}
