package dev.sluice.stages;

import dev.sluice.failure.StackReserve;
import dev.sluice.system.VirtualThreads;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A stage whose batches are tasks of an executor. Tasks are submitted until those that have not looked for events yet
 * can take all of them: the executor may let a task wait for long before it begins.
 *
 * <p>A task ends after a batch, since other stages may use the same threads. On virtual threads it continues with
 * further batches if all tasks that there may be have begun: another task would begin only after those that compute,
 * so that handlers that wait and compute would all wait at the same time. If a task has not begun, the handlers
 * probably compute only, and the other virtual threads need the carriers.
 */
final class ExecutorTasks extends Execution {

    private final Executor executor;
    private final int maxTasks;
    private final Runnable task = this::runTask;
    private final AtomicInteger tasks = new AtomicInteger();
    /** Number of tasks that have been submitted and have not looked for events yet. */
    private final AtomicInteger starting = new AtomicInteger();
    /** Number of tasks that have been submitted and have neither begun nor been withdrawn. */
    private final AtomicInteger submitted = new AtomicInteger();
    /** The threads of tasks that have begun, and whether each has taken events. */
    private final ConcurrentMap<Thread, Boolean> inside = new ConcurrentHashMap<>();
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
        int before = starting.get();
        while (started && hasEvent() && tasks.get() < maxTasks && !canTakeAll(before)) {
            // If the stack ran out after the next step, no task would be submitted again.
            StackReserve.requireForOpening();
            if (starting.compareAndSet(before, before + 1)) {
                if (tasks.getAndIncrement() < maxTasks) {
                    submit();
                } else {
                    tasks.decrementAndGet();
                    starting.decrementAndGet();
                }
            }
            before = starting.get();
        }
    }

    /** {@return whether a number of tasks can take all events that wait} A task takes its share, not a full batch. */
    private boolean canTakeAll(int count) {
        // The length counts reserved places, too, whose events no task can take before the commit.
        long events = stage.length() - stage.ownQueue().prepared();
        return count > 0 && (long) count * stage.handling.share(maxTasks) >= events;
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
            starting.decrementAndGet();
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
        boolean isInside = false;
        // An executor may run a task in the thread that submits it, inside of another one, which may be about to take.
        Boolean outer = null;
        try {
            outer = inside.put(current, false);
            isInside = true;
            int count = runBatch(maxTasks);
            while (count > 0 && continuesWithoutEnd()) {
                count = runBatch(maxTasks);
            }
        } catch (Throwable e) {
            WorkerThreads.failed(e);
        } finally {
            if (!isInside || inside.replace(current, false, true)) {
                starting.decrementAndGet();
            }
            if (outer == null) {
                inside.remove(current);
            } else {
                inside.put(current, outer);
            }
            tasks.decrementAndGet();
        }
        run();
    }

    private boolean continuesWithoutEnd() {
        return maxTasks > 1 && tasks.get() == maxTasks && starting.get() == 0
                && VirtualThreads.isVirtual(Thread.currentThread());
    }

    @Override
    protected void taken() {
        if (inside.replace(Thread.currentThread(), false, true)) {
            starting.decrementAndGet();
        }
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
        inside.keySet().forEach(Thread::interrupt);
    }

    @Override
    protected boolean awaitEnd(long deadline) throws InterruptedException {
        while (tasks.get() > 0 && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return tasks.get() == 0;
    }
}
