package dev.sluice.stages;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.failure.StackReserve;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A stage on an event loop: a task of the loop takes one batch, and then lets the loop attend to everything else. There
 * is one task at a time, so that even if many threads run the loop only one is inside of the stage.
 *
 * <p>Each batch is a task of its own, whose place in the loop's queue of tasks is never used twice: with one event in a
 * batch that is about four bytes for each event, for a full batch a fraction of one. A place of the stage's own in the
 * loop, to be used again and again, would have to be a second list of tasks that any thread can add to and that ends
 * the loop's wait, also of a loop that many threads run; and what it ran would come before or after all tasks, instead
 * of in the order in which it was asked for.
 */
final class LoopExecution extends Execution {

    private static final int IDLE = 0;
    private static final int SCHEDULED = 1;
    private static final AtomicIntegerFieldUpdater<LoopExecution> STATE =
            AtomicIntegerFieldUpdater.newUpdater(LoopExecution.class, "state");

    private final Stage<?> stage;
    private final EventLoop loop;
    private volatile int state = IDLE;
    private final Runnable task = this::runScheduled;
    private volatile boolean started;

    LoopExecution(Stage<?> stage, EventLoop loop) {
        this.stage = stage;
        this.loop = loop;
    }

    @Override
    void start() {
        started = true;
        run();
    }

    @Override
    public void run() {
        if (started && stage.handling.hasEvent() && state == IDLE && STATE.compareAndSet(this, IDLE, SCHEDULED)) {
            try {
                schedule();
            } catch (Throwable e) {
                // For lack of memory, or of stack. The event is in the queue: the thread of the controllers tries
                // again, or one that enqueues the next event. Without a call, as there may be no stack for one.
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
            if (stage.handling.hasEvent()) {
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
            stage.handling.run(1);
        } catch (Throwable e) {
            // Otherwise no further batch would be scheduled.
            WorkerThreads.failed(e);
        }
    }

    @Override
    void runAgain() {
        run();
    }

    @Override
    String description() {
        return "on " + loop;
    }
}
