package dev.sluice.connection;

/** Pauses the input of a connection while too much output is queued, on the same connection or another one. */
final class Watermarks {

    private static final int LOW = 128 * 1024;
    private static final int HIGH = 256 * 1024;
    private static final int LIMIT = 16 * 1024 * 1024;

    private int low = LOW;
    private int high = HIGH;
    private volatile int limit = LIMIT;
    /** The output of the connection whose input is paused. */
    private QueuedOutput paused;
    private volatile boolean above;

    Watermarks(QueuedOutput own) {
        paused = own;
    }

    void set(int newLow, int newHigh) {
        if (newLow < 1 || newLow > newHigh || newHigh > limit) {
            throw new IllegalArgumentException("watermarks: low " + newLow + ", high " + newHigh
                    + "; need 1 <= low <= high <= " + limit + ", the limit");
        }
        low = newLow;
        high = newHigh;
    }

    void limit(int bytes) {
        if (bytes < high) {
            throw new IllegalArgumentException("limit: " + bytes + " is below the high watermark " + high
                    + "; set that first");
        }
        limit = bytes;
    }

    int limit() {
        return limit;
    }

    /**
     * {@return whether bytes in memory, of which the last ones were just added, exceed the limit} A single send may
     * exceed it.
     */
    boolean isBeyondLimit(long bytes, long last) {
        return last > 0 && bytes > last && bytes > limit;
    }

    boolean isAbove() {
        return above;
    }

    /** Called when the number of queued bytes has changed. */
    void update(long waiting) {
        if (above ? waiting <= low : waiting > high) {
            above = !above;
            if (above) {
                paused.addPause();
            } else {
                paused.removePause();
            }
        }
    }

    /** Makes this pause another connection from now on. */
    void pause(QueuedOutput other) {
        QueuedOutput before = paused;
        paused = other;
        if (above) {
            other.addPause();
            before.removePause();
        }
    }
}
