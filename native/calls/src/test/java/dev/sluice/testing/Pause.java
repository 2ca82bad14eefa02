package dev.sluice.testing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The pause between two looks at what a test waits for, if nothing signals it. The first looks follow each other
 * closely, as most events are there within microseconds. Later the thread sleeps, or it would take the processor from
 * the thread that it waits for. Not thread-safe.
 *
 * <pre>{@code
 * Pause pause = new Pause();
 * while (!condition()) {
 *     assertTrue(System.nanoTime() - end < 0);
 *     pause.next();
 * }
 * }</pre>
 */
public final class Pause {

    private static final int LOOKS_WITHOUT_SLEEP = 100;
    private static final long SHORTEST_SLEEP = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_SLEEP = TimeUnit.MILLISECONDS.toNanos(1);

    private int looks;
    private long sleep = SHORTEST_SLEEP;

    /** Begins with pauses without sleep. */
    public Pause() {
    }

    /** Lets other threads run: yields after each of the first hundred looks, then sleeps 50 us, growing to 1 ms. */
    public void next() {
        if (looks < LOOKS_WITHOUT_SLEEP) {
            looks++;
            Thread.yield();
        } else {
            LockSupport.parkNanos(this, sleep);
            sleep = Math.min(2 * sleep, LONGEST_SLEEP);
        }
    }
}
