package dev.sluice.samples.logging;

import java.time.Duration;

/**
 * The time that a stop may take. Sources of records have most of it to finish; the rest is the writer's, so that a
 * client without end does not cost others the records that wait to be written. For the thread that stops the server.
 */
final class GracePeriod {

    /** Sources have this many tenths of the time. */
    private static final int TENTHS_FOR_SOURCES = 8;

    private final Duration length;
    private long start;
    private boolean begun;

    /**
     * Creates a period that has not begun.
     *
     * @param length all of it
     */
    GracePeriod(Duration length) {
        this.length = length;
    }

    /** {@return all of it} */
    Duration length() {
        return length;
    }

    /** {@return how long sources have} */
    Duration forSources() {
        return length.multipliedBy(TENTHS_FOR_SOURCES).dividedBy(10);
    }

    /** The stop begins. */
    void begin() {
        start = System.nanoTime();
        begun = true;
    }

    /** {@return how much is left, 0 at least; all of it before the beginning} */
    long nanosLeft() {
        return begun ? Math.max(0, length.toNanos() - (System.nanoTime() - start)) : length.toNanos();
    }
}
