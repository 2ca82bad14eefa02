package dev.sluice.benchmarks.timers;

import java.io.IOException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Delayed tasks of a ScheduledThreadPoolExecutor with one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ExecutorTimers {

    private static final int TIMEOUT_SECONDS = 10;

    /** Number of tasks in it. */
    @Param("10")
    public int pending;

    private final Times far = Times.far();
    private final Semaphore all = new Semaphore(0);
    private final Runnable task = this::run;
    private ScheduledThreadPoolExecutor executor;
    // Of the executor's thread.
    private int ran;

    /** For JMH. */
    public ExecutorTimers() {
    }

    /** Fills the executor. */
    @Setup
    public void open() {
        executor = new ScheduledThreadPoolExecutor(1);
        // Without it, cancelled tasks stay until they are due.
        executor.setRemoveOnCancelPolicy(true);
        for (int i = 0; i < pending; i++) {
            executor.schedule(task, far.next(), TimeUnit.NANOSECONDS);
        }
    }

    private void run() {
        if (++ran == QueuedTimers.EXPIRING) {
            ran = 0;
            all.release();
        }
    }

    /** {@return a task that was scheduled, and cancelled before it was due} */
    @Benchmark
    public Object scheduleAndCancel() {
        ScheduledFuture<?> future = executor.schedule(task, far.next(), TimeUnit.NANOSECONDS);
        if (!future.cancel(false)) {
            throw new IllegalStateException("it has been cancelled already");
        }
        return future;
    }

    /**
     * Schedules tasks that are due, and waits until the executor's thread has run them.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    @Benchmark
    @OperationsPerInvocation(QueuedTimers.EXPIRING)
    public void expire() throws InterruptedException {
        for (int i = 0; i < QueuedTimers.EXPIRING; i++) {
            executor.schedule(task, 0, TimeUnit.NANOSECONDS);
        }
        all.acquire();
    }

    /**
     * Looks whether the executor is as it was, and ends it.
     *
     * @throws IOException          if it is not
     * @throws InterruptedException if the thread is interrupted
     */
    @TearDown
    public void close() throws IOException, InterruptedException {
        int left = executor.shutdownNow().size();
        if (left != pending || !executor.awaitTermination(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException(left + " tasks are pending instead of " + pending);
        }
    }
}
