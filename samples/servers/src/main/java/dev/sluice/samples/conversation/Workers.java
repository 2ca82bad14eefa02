package dev.sluice.samples.conversation;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The synchronous half of Half-Sync/Half-Async, and the queue before it, which is bounded. */
final class Workers implements Executor, AutoCloseable {

    private static final int QUEUE = 1024;

    private final ThreadPoolExecutor threads;

    Workers(int count) {
        threads = new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE),
                DaemonThreads.named("worker"), Workers::awaitSpace);
        threads.prestartAllCoreThreads();
    }

    private static void awaitSpace(Runnable task, ThreadPoolExecutor pool) {
        if (pool.isShutdown()) {
            throw new RejectedExecutionException("the workers have ended");
        }
        try {
            pool.getQueue().put(task);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException("interrupted while the queue was full", e);
        }
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /**
     * Changes the number of workers. Surplus workers end when they are idle.
     *
     * @throws OutOfMemoryError if the system refuses one; then the number is unchanged
     */
    void resize(int count) {
        int before = count();
        try {
            setSize(count);
            // Started now, while a failure can still be reported to the caller, and not when there is work for them.
            threads.prestartAllCoreThreads();
        } catch (OutOfMemoryError e) {
            setSize(before);
            throw e;
        }
    }

    private void setSize(int count) {
        // The core size must never exceed the maximum.
        if (count > threads.getMaximumPoolSize()) {
            threads.setMaximumPoolSize(count);
            threads.setCorePoolSize(count);
        } else {
            threads.setCorePoolSize(count);
            threads.setMaximumPoolSize(count);
        }
    }

    int count() {
        return threads.getMaximumPoolSize();
    }

    int active() {
        return threads.getActiveCount();
    }

    int queued() {
        return threads.getQueue().size();
    }

    /** Ends the workers, after waiting a few seconds for the queued work. */
    @Override
    public void close() {
        DaemonThreads.end(threads);
    }
}
