package dev.sluice.benchmarks.seda.today;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** How requests are let in, behind a virtual thread for each connection. */
enum GateKind {
    /** All of them. */
    PLAIN {
        @Override
        Gate gate(Gate page, int limit, Duration target) {
            return page;
        }
    },
    /** So many at a time; others wait, however many there are. */
    SEMAPHORE {
        @Override
        Gate gate(Gate page, int limit, Duration target) {
            Semaphore permits = new Semaphore(limit, true);
            return () -> {
                permits.acquire();
                try {
                    return page.page();
                } finally {
                    permits.release();
                }
            };
        }
    },
    /** So many at a time, and {@link #QUEUE_LENGTH} wait; others are refused. */
    QUEUE {
        @Override
        Gate gate(Gate page, int limit, Duration target) {
            ThreadPoolExecutor pool = new ThreadPoolExecutor(limit, limit, 0, TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(QUEUE_LENGTH), Thread.ofVirtual().factory());
            return () -> {
                try {
                    return result(pool.submit(page::page));
                } catch (RejectedExecutionException e) {
                    return null;
                }
            };
        }
    },
    /** A stage with a controller that sheds load. */
    STAGE {
        @Override
        Gate gate(Gate page, int limit, Duration target) {
            return new StageGate(page, limit, target);
        }
    };

    static final int QUEUE_LENGTH = 256;

    /**
     * {@return a gate before a page}
     *
     * @param page   makes one
     * @param limit  how many at a time, at most
     * @param target for the response time
     */
    abstract Gate gate(Gate page, int limit, Duration target);

    /** {@return what a task has made} */
    static byte[] result(Future<byte[]> task) throws IOException, InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().toString(), e.getCause());
        }
    }
}
