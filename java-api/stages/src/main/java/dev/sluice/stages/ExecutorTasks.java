package dev.sluice.stages;

import dev.sluice.failure.StackReserve;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A stage whose batches are tasks of an executor. At most one task at a time has been submitted and has not looked for
 * events: it submits the next one, if it finds more than it takes, before it handles them, which may block.
 */
final class ExecutorTasks extends Execution {

    private final Executor executor;
    private final int maxTasks;
    private final Runnable task = this::runTask;
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicBoolean starting = new AtomicBoolean();
    /** Number of tasks that have been submitted and have neither begun nor been withdrawn. */
    private final AtomicInteger submitted = new AtomicInteger();
    private final Set<Thread> inside = ConcurrentHashMap.newKeySet();
    private volatile boolean started;

    ExecutorTasks(Stage<?> stage, Executor executor, int maxTasks) {
        super(stage);
        this.executor = executor;
        this.maxTasks = stage.exclusive ? 1 : maxTasks;
    }

    @Override
    protected void start() {
        started = true;
        run();
    }

    @Override
    public void run() {
        // Repeated if another thread has found one starting, or all in use, in the meantime.
        while (started && hasEvent() && tasks.get() < maxTasks && !starting.get()) {
            // If the stack ran out after the next step, no task would be submitted again.
            StackReserve.requireForOpening();
            if (!starting.compareAndSet(false, true)) {
                return;
            }
            if (tasks.getAndIncrement() < maxTasks) {
                submit();
                return;
            }
            tasks.decrementAndGet();
            starting.set(false);
        }
    }

    private void submit() {
        submitted.getAndIncrement();
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            // The executor has ended, and so has the stage.
            withdraw();
            stage.abandon();
        } catch (Throwable e) {
            // For lack of memory. The thread of the controllers tries again.
            withdraw();
            throw e;
        }
    }

    /** Ends a task that has not begun. The executor may have kept it, or called it before it has thrown. */
    private void withdraw() {
        if (takeSubmitted()) {
            tasks.decrementAndGet();
            starting.set(false);
        }
    }

    private boolean takeSubmitted() {
        return submitted.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }

    private void runTask() {
        if (!takeSubmitted()) {
            // It was withdrawn.
            return;
        }
        Thread current = Thread.currentThread();
        int count = 0;
        try {
            inside.add(current);
            count = runBatch(maxTasks);
        } catch (Throwable e) {
            WorkerThreads.failed(e);
        } finally {
            if (count == 0) {
                starting.set(false);
            }
            inside.remove(current);
            tasks.decrementAndGet();
        }
        run();
    }

    @Override
    protected void taken() {
        starting.set(false);
        run();
    }

    @Override
    protected int threads() {
        return tasks.get();
    }

    @Override
    int ownThreads() {
        // They belong to the executor.
        return 0;
    }

    @Override
    protected String description() {
        return "tasks of " + executor + ", at most " + maxTasks;
    }

    @Override
    protected void runAgain() {
        run();
    }

    @Override
    protected void interrupt() {
        inside.forEach(Thread::interrupt);
    }

    @Override
    protected boolean awaitEnd(long deadline) throws InterruptedException {
        while (tasks.get() > 0 && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return tasks.get() == 0;
    }
}
