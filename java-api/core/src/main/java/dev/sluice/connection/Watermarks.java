package dev.sluice.connection;

/** Pauses the input of a connection while too much output waits, its own or that of another one. */
final class Watermarks {

    private static final int LOW = 128 * 1024;
    private static final int HIGH = 256 * 1024;
    private static final int LIMIT = 16 * 1024 * 1024;

    private int low = LOW;
    private int high = HIGH;
    private volatile int limit = LIMIT;
    /** Whose input is paused. */
    private OutputQueue paused;
    private volatile boolean above;

    Watermarks(OutputQueue own) {
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

    boolean isAbove() {
        return above;
    }

    /** The number of bytes that wait has changed. */
    void update(long waiting) {
        if (above ? waiting <= low : waiting > high) {
            above = !above;
            change(paused, above);
        }
    }

    /** Pauses another connection from now on. */
    void pause(OutputQueue other) {
        OutputQueue before = paused;
        paused = other;
        if (above) {
            other.addPause();
            before.removePause();
        }
    }

    private static void change(OutputQueue queue, boolean pause) {
        if (pause) {
            queue.addPause();
        } else {
            queue.removePause();
        }
    }
}
