package dev.sluice.samples.oltp.pool;

import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The synchronous half of half-sync/half-async: threads that serve a bounded queue. */
final class Workers implements Executor, AutoCloseable {

    private static final int QUEUE = 1024;
    private static final int PATIENCE_SECONDS = 5;

    private final ThreadPoolExecutor threads;

    Workers(int count) {
        threads = new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE),
                task -> {
                    Thread thread = new Thread(task, "worker");
                    thread.setDaemon(true);
                    return thread;
                }, Workers::waitForRoom);
    }

    private static void waitForRoom(Runnable task, ThreadPoolExecutor pool) {
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

    Map<String, Object> states() {
        Map<String, Object> states = PoolStates.threads(threads.getMaximumPoolSize());
        states.put("pool_queued", threads.getQueue().size());
        return states;
    }

    /** Lets them finish what is queued, for a few seconds. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
