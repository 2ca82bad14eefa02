package dev.sluice.stages;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.failure.StackReserve;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Runs a stage on an event loop: a task of the loop handles one batch, and then the loop continues with its other work.
 * There is one task at a time, so that even if several threads run the loop only one is in the stage.
 *
 * <p>Each batch is a task of its own, whose place in the loop's queue of tasks is used once: about four bytes of
 * garbage for each event if a batch has one event, and a fraction of a byte for a full batch. A reusable place in the
 * loop would require a second list of tasks that any thread can add to and that ends the loop's wait; and its tasks
 * would run before or after all others, instead of in the order in which they were added.
 */
final class LoopExecution extends Execution {

    private static final int IDLE = 0;
    private static final int SCHEDULED = 1;
    private static final AtomicIntegerFieldUpdater<LoopExecution> STATE =
            AtomicIntegerFieldUpdater.newUpdater(LoopExecution.class, "state");

    private final EventLoop loop;
    private volatile int state = IDLE;
    private final Runnable task = this::runScheduled;
    private volatile boolean started;

    LoopExecution(Stage<?> stage, EventLoop loop) {
        super(stage);
        this.loop = loop;
    }

    @Override
    protected void start() {
        started = true;
        run();
    }

    @Override
    public void run() {
        if (started && hasEvent() && state == IDLE && STATE.compareAndSet(this, IDLE, SCHEDULED)) {
            try {
                schedule();
            } catch (Throwable e) {
                // No memory or stack. The event is in the queue: the thread of the controllers tries again, or the
                // thread that enqueues the next event. Without a call, as there may be no stack for one.
                state = IDLE;
                throw e;
            }
        }
    }

    private void schedule() {
        try {
            // The loop may have to be woken up.
            StackReserve.requireForCall();
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and so has the stage.
            stage.abandon();
        }
    }

    private void runScheduled() {
        try {
            handleBatch();
            if (hasEvent()) {
                schedule();
                return;
            }
        } catch (Throwable e) {
            state = IDLE;
            throw e;
        }
        state = IDLE;
        run();
    }

    private void handleBatch() {
        try {
            runBatch(1);
        } catch (Throwable e) {
            // Otherwise no further batch would be scheduled.
            WorkerThreads.failed(e);
        }
    }

    @Override
    protected void runAgain() {
        run();
    }

    @Override
    protected String description() {
        return "on " + loop;
    }
}
