package dev.sluice.benchmarks.file;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A virtual thread that computes, and parks for a moment after each piece: it goes on only if the threads that read do
 * not hold up the carrier threads. It does not yield, as the scheduler could then prefer it to threads in other queues.
 */
final class Computation {

    private static final int STEPS = 20_000;
    private static final long MOMENT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private volatile boolean over;
    private volatile long random;
    private Thread thread;
    private long pieces;
    private long began;

    /** Begins. */
    void start() {
        over = false;
        pieces = 0;
        began = System.nanoTime();
        thread = Thread.ofVirtual().start(this::compute);
    }

    private void compute() {
        long next = System.nanoTime();
        while (!over) {
            for (int i = 0; i < STEPS; i++) {
                next = next * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            }
            random = next;
            pieces++;
            LockSupport.parkNanos(MOMENT_NANOS);
        }
    }

    /** {@return the number of pieces per second} Ends it. */
    double stop() throws InterruptedException {
        long nanos = System.nanoTime() - began;
        over = true;
        thread.join();
        return pieces * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
    }
}
