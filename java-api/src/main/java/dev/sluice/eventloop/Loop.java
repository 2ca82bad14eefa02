package dev.sluice.eventloop;

import dev.sluice.hook.HookFailure;
import dev.sluice.timer.Timer;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;

/**
 * How an event loop is run: by one thread at a time ({@link SoleLoop}) or by many at once ({@link SharedLoop}). Each of
 * the two can be read from top to bottom: which threads may enter, how a turn goes, which thread is woken up for what,
 * and which one ends it.
 */
abstract class Loop {

    private final EventLoop loop;
    private final DispatchTrace trace;
    private final TaskQueue tasks;
    /** Set before the queue is emptied one last time. */
    private volatile boolean queueEnded;
    private volatile boolean stopRequested;
    private volatile boolean closeRequested;
    private final CountDownLatch closed = new CountDownLatch(1);

    Loop(EventLoop loop, DispatchTrace trace) {
        this.loop = loop;
        this.trace = trace;
        this.tasks = new TaskQueue(trace);
        HookFailure.prepare();
    }

    final EventLoop loop() {
        return loop;
    }

    final TaskQueue tasks() {
        return tasks;
    }

    // Which thread may do what

    /** {@return as {@link EventLoop#inLoop}} */
    abstract boolean isLoopThread();

    /** {@return whether the caller is inside} */
    abstract boolean isInside();

    /** {@return whether only the caller can touch what belongs to the loop thread; for assertions} */
    abstract boolean isConfined();

    /** As {@link EventLoop#perform}. */
    abstract boolean perform(EventLoop.LoopAction action) throws IOException;

    void performOrEnqueue(Runnable action) {
        try {
            if (!perform(action::run)) {
                enqueue(action);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link EventLoop#enqueue}. */
    final boolean enqueue(Runnable task) {
        if (queueEnded) {
            // Without a place in the queue, which nobody would ever give back.
            return false;
        }
        tasks.add(task);
        try {
            taskAdded();
        } catch (RuntimeException | Error e) {
            // If no thread can be woken up, the task is refused, unless a thread that is awake has taken it.
            if (tasks.remove(task)) {
                throw e;
            }
        }
        // It may have been added after the queue was emptied one last time.
        return !queueEnded || !tasks.remove(task);
    }

    /** A task has been queued: wakes up a thread for it, unless one is awake that will run it. */
    abstract void taskAdded();

    // Timers

    /** Adds a timer, unless it is cancelled in the meantime. Called by any thread. */
    abstract void add(Timer timer);

    /** Removes a cancelled timer. Called by any thread. */
    abstract void remove(Timer timer);

    /** {@return whether the handler was called} */
    final boolean fire(Timer timer) {
        try {
            return trace == null ? timer.fire() : fireTraced(timer);
        } catch (Throwable e) {
            loop.failed(timer.handler(), e);
            return true;
        }
    }

    private boolean fireTraced(Timer timer) throws Exception {
        if (!timer.isPending()) {
            return false;
        }
        trace.begin("handleTimeout", timer.handler(), timer.token());
        try {
            return timer.fire();
        } finally {
            trace.end();
        }
    }

    // Running

    /**
     * The caller enters the loop, perhaps once more.
     *
     * @throws IllegalStateException if it may not
     */
    abstract void enter();

    /**
     * The caller leaves again, as often as it has entered. The last thread to leave ends a loop that is to be closed.
     */
    abstract void leave();

    /** One turn: waits, and dispatches what there is. Called inside the loop. */
    abstract int turn(long timeoutNanos) throws IOException;

    /** Turns until the stop or the end. Called inside the loop. */
    abstract void turnUntilStopped() throws IOException;

    /** The caller's run has failed. Called inside the loop; if no other thread is inside, leaving ends the loop. */
    abstract void runFailed();

    final int handleEvents(long timeoutNanos) throws IOException {
        enter();
        try {
            return trace == null ? turn(timeoutNanos) : turnTraced(timeoutNanos);
        } finally {
            leave();
        }
    }

    private int turnTraced(long timeoutNanos) throws IOException {
        trace.enter();
        try {
            return turn(timeoutNanos);
        } finally {
            trace.leave();
        }
    }

    final void run() throws IOException {
        enter();
        Throwable failure = null;
        try {
            if (trace == null) {
                turnUntilStopped();
            } else {
                turnTracedUntilStopped();
            }
        } catch (Throwable e) {
            failure = e;
            if (!(e instanceof IllegalStateException)) {
                runFailed();
            }
            throw e;
        } finally {
            leave(failure);
        }
    }

    private void turnTracedUntilStopped() throws IOException {
        trace.enter();
        try {
            turnUntilStopped();
        } finally {
            trace.leave();
        }
    }

    private void leave(Throwable failure) {
        try {
            leave();
        } catch (RuntimeException | Error e) {
            if (failure == null) {
                throw e;
            }
            if (failure != e) {
                failure.addSuppressed(e);
            }
        }
    }

    final void stop() {
        stopRequested = true;
        loop.wakeUp();
    }

    /** As {@link EventLoop#leave}. Called inside the loop. */
    abstract void leaveRun();

    /** {@return as {@link EventLoop#dispatchingThreads}} */
    abstract int dispatchingThreads();

    final boolean isStopRequested() {
        return stopRequested;
    }

    /** All threads have stopped. */
    final void stopped() {
        stopRequested = false;
    }

    // The end

    abstract void close();

    /** From now on the last thread to leave must end the loop. */
    final void requestClose() {
        closeRequested = true;
    }

    final boolean isCloseRequested() {
        return closeRequested;
    }

    final boolean isClosed() {
        return closed.getCount() == 0;
    }

    final void requireOpen() {
        if (isClosed()) {
            throw loop.closedException();
        }
    }

    /** Waits until the threads inside have left and the last of them has ended the loop. */
    final void awaitEnd() {
        loop.wakeUp();
        boolean interrupted = false;
        while (!isClosed()) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends everything. Called by the only thread inside. */
    final void end() {
        loop.requireCanEnd();
        try {
            loop.endSignals();
            queueEnded = true;
            while (!tasks.isEmpty()) {
                tasks.run();
            }
            loop.endAll();
        } finally {
            try {
                loop.dispose();
            } finally {
                if (trace != null) {
                    trace.close();
                }
                closed.countDown();
            }
        }
    }
}
