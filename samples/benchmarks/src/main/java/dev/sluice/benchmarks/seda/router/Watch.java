package dev.sluice.benchmarks.seda.router;

import java.io.Closeable;
import java.time.Duration;

/** A thread that looks at a process now and then, while that is measured. */
abstract class Watch implements Closeable {

    private static final Duration NAP = Duration.ofMillis(10);

    private final long from;
    private final long until;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Creates a watch that does not look yet.
     *
     * @param name of the thread
     * @param wait until what is seen counts
     * @param time for how long it counts
     */
    Watch(String name, Duration wait, Duration time) {
        from = System.nanoTime() + wait.toNanos();
        until = from + time.toNanos();
        thread = Thread.ofPlatform().name(name).daemon().unstarted(this::watch);
    }

    final void begin() {
        thread.start();
    }

    /** Samples until the watch is closed. Only the closing thread may read what it has written, after that. */
    abstract void watch();

    /** Sleeps until what is seen counts, or this is closed. */
    final void awaitBeginning() throws InterruptedException {
        while (!closed && from - System.nanoTime() > 0) {
            Thread.sleep(NAP);
        }
    }

    final boolean isOver() {
        return closed || until - System.nanoTime() <= 0;
    }

    /** Looks no more, but ends the look that it has begun. */
    @Override
    public final void close() {
        closed = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
