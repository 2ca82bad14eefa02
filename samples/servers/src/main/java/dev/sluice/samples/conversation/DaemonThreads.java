package dev.sluice.samples.conversation;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Creates daemon threads, which do not delay the end of the process even if they are blocked. */
final class DaemonThreads {

    private static final int PATIENCE_SECONDS = 5;

    private DaemonThreads() {
    }

    static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** {@return an executor that runs each task in a platform thread of its own} */
    static ExecutorService oneForEach(String name) {
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 0, TimeUnit.SECONDS, new SynchronousQueue<>(), named(name));
    }

    /** Ends the threads, after waiting a few seconds for their tasks. */
    static void end(ExecutorService threads) {
        threads.shutdown();
        try {
            threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
