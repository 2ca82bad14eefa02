package dev.sluice.benchmarks.seda.little;

import java.util.concurrent.locks.LockSupport;

/** An event that was due at some time, and is handled at another. */
final class Arrival {

    private final long due;
    private final boolean blocks;
    private volatile long handled;

    /**
     * Creates an arrival.
     *
     * @param due    by {@link System#nanoTime()}
     * @param blocks whether it takes its time
     */
    Arrival(long due, boolean blocks) {
        this.due = due;
        this.blocks = blocks;
    }

    boolean blocks() {
        return blocks;
    }

    void awaitDue() {
        long left = due - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = due - System.nanoTime();
        }
    }

    void handle() {
        handled = System.nanoTime();
    }

    /** {@return the nanoseconds from when it was due until it had been handled} */
    long responseTime() {
        return handled - due;
    }
}
