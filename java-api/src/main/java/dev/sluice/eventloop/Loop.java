package dev.sluice.eventloop;

import dev.sluice.timer.Timer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;

/**
 * How an event loop is run: by one thread at a time ({@link SoleLoop}) or by many at once ({@link SharedLoop}). Each of
 * the two says from top to bottom who may come in, how a turn goes, who is woken up for what, and who ends it.
 */
abstract class Loop {

    private final EventLoop loop;
    private final TaskQueue tasks = new TaskQueue();
    /** Set before the queue is emptied for the last time. */
    private volatile boolean queueEnded;
    private volatile boolean stopRequested;
    private volatile boolean closeRequested;
    private final CountDownLatch closed = new CountDownLatch(1);

    Loop(EventLoop loop) {
        this.loop = loop;
    }

    final EventLoop loop() {
        return loop;
    }

    final TaskQueue tasks() {
        return tasks;
    }

    // Whose thread

    /** {@return as {@link EventLoop#inLoop}} */
    abstract boolean isLoopThread();

    /** {@return whether the caller is inside} */
    abstract boolean isInside();

    /** {@return whether nobody but the caller can touch what belongs to the loop thread; for assertions} */
    abstract boolean isConfined();

    /** As {@link EventLoop#perform}. */
    abstract boolean perform(EventLoop.LoopAction action) throws IOException;

    final void performOrEnqueue(Runnable action) {
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
        tasks.add(task);
        try {
            taskAdded();
        } catch (RuntimeException | Error e) {
            // Where nobody can be woken up, the task is refused, unless somebody who is awake has taken it.
            if (tasks.remove(task)) {
                throw e;
            }
        }
        return !queueEnded || !tasks.remove(task);
    }

    /** A task is in the queue: wakes up a thread for it, if none is awake that will run it. */
    abstract void taskAdded();

    // Timers

    /** Adds one, unless it is cancelled meanwhile. From any thread. */
    abstract void add(Timer timer);

    /** Takes a cancelled one out. From any thread. */
    abstract void remove(Timer timer);

    /** {@return whether the handler was called, and has not failed} */
    final boolean fire(Timer timer) {
        try {
            return timer.fire();
        } catch (Throwable e) {
            loop.failed(timer.handler(), e);
            return false;
        }
    }

    // Running

    /**
     * The caller comes in, perhaps once more.
     *
     * @throws IllegalStateException if it may not
     */
    abstract void enter();

    /** The caller goes out again, as often as it has come in. The last one ends a loop that is to be closed. */
    abstract void leave();

    /** One turn: waits, and dispatches what there is. Inside. */
    abstract int turn(long timeoutNanos) throws IOException;

    /** Turns until the stop or the end. Inside. */
    abstract void turnUntilStopped() throws IOException;

    /** The run of the caller has failed. Inside; if nobody else is, going out ends the loop. */
    abstract void runFailed();

    final int handleEvents(long timeoutNanos) throws IOException {
        enter();
        try {
            return turn(timeoutNanos);
        } finally {
            leave();
        }
    }

    final void run() throws IOException {
        enter();
        Throwable failure = null;
        try {
            turnUntilStopped();
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

    final boolean isStopRequested() {
        return stopRequested;
    }

    /** All have stopped. */
    final void stopped() {
        stopRequested = false;
    }

    // The end

    abstract void close();

    /** The last one who goes out has to end it. */
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

    /** Waits until those who are inside have left and ended it. */
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

    /** Ends everything. By the only thread that is inside. */
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
                closed.countDown();
            }
        }
    }
}
