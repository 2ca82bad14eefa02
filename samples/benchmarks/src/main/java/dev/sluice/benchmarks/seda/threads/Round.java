package dev.sluice.benchmarks.seda.threads;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Waits until each task of a round has been done. Can be used again and again, by one thread that waits. */
final class Round {

    private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(50);

    private final int tasks;
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile Thread waiting;

    Round(int tasks) {
        this.tasks = tasks;
    }

    /** To be called before the first task is handed over. */
    void begin() {
        left.set(tasks);
        waiting = Thread.currentThread();
    }

    void done() {
        if (left.decrementAndGet() == 0) {
            LockSupport.unpark(waiting);
        }
    }

    void fail(Throwable cause) {
        failure.compareAndSet(null, cause);
        LockSupport.unpark(waiting);
    }

    /**
     * Waits until all are done.
     *
     * @throws IOException if one of them has failed, or they are not done for a long time
     */
    void await() throws IOException {
        long began = System.nanoTime();
        while (left.get() != 0) {
            Throwable cause = failure.get();
            if (cause != null) {
                throw new IOException("a task has failed: " + cause, cause);
            }
            if (System.nanoTime() - began > TIMEOUT) {
                throw new IOException(left.get() + " of " + tasks + " tasks are not done");
            }
            LockSupport.parkNanos(this, TIMEOUT);
        }
    }
}
