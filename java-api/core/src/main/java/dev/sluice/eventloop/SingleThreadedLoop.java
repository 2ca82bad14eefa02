package dev.sluice.eventloop;

import dev.sluice.failure.CloseLock;
import dev.sluice.failure.ShutdownWait;
import dev.sluice.failure.StackReserve;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A loop that one thread at a time runs: the loop thread, which owns the state and takes no lock. */
final class SingleThreadedLoop extends Loop {

    /** Whether another thread may become the loop thread once the previous one has left the loop. */
    private final boolean canMove;
    /** The thread that runs the loop, or ran it last; null until one has. Changed under the lock. */
    private volatile @Nullable Thread loopThread;
    private final Object lock = new Object();
    /** Held by a thread that closes an idle loop, until the loop has ended or the attempt has failed. */
    private final CloseLock closing;
    private final AtomicReference<Thread> inside = new AtomicReference<>();

    /** The state of the loop thread; a new loop thread continues with it. Accessed inside the loop. */
    private final LoopThreadState thread = new LoopThreadState();

    SingleThreadedLoop(LoopOwner loop, boolean canMove, TimerQueue timers, LongSupplier clock,
            @Nullable DispatchTrace trace) {
        super(loop, timers, clock, false, trace);
        this.canMove = canMove;
        this.closing = new CloseLock(loop);
    }

    // Thread rules

    @Override
    boolean isLoopThread() {
        return loopThread == Thread.currentThread();
    }

    @Override
    public boolean isInside() {
        return inside.get() == Thread.currentThread();
    }

    @Override
    LoopThreadState threadInside() {
        return thread;
    }

    @Override
    public boolean isConfined() {
        // Includes the loop thread outside of the loop, because no other thread changes the state then.
        return isInside() || Thread.holdsLock(lock) || inside.get() == null && isLoopThread();
    }

    @Override
    public boolean perform(Change change) throws IOException {
        if (isInside()) {
            change.make();
            return true;
        }
        if (mayPerform()) {
            // Under the lock, because another thread may begin to run the loop at this moment.
            synchronized (lock) {
                if (mayPerform()) {
                    change.make();
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public void performOrEnqueue(Runnable action) {
        if (isInside()) {
            // Without allocating, because a handle must be closed even if there is no memory.
            action.run();
        } else {
            super.performOrEnqueue(action);
        }
    }

    private boolean mayPerform() {
        Thread owner = loopThread;
        return owner == null || owner == Thread.currentThread();
    }

    // Timers

    @Override
    void add(Timer timer) {
        performOrEnqueue(() -> {
            assert isConfined();
            work.add(timer);
        });
    }

    @Override
    void start(Timer timer, long deadline) {
        if (isInside()) {
            work.start(timer, deadline);
            return;
        }
        synchronized (lock) {
            if (!mayPerform()) {
                throw new IllegalStateException(
                        "start: only the loop thread " + loopThread + " may call this; use execute(...) of " + loop);
            }
            work.start(timer, deadline);
        }
    }

    @Override
    void remove(Timer timer) {
        if (isInside()) {
            // Without allocating, because a hook cancels its timers at the end even if there is no memory.
            work.remove(timer);
        } else {
            performOrEnqueue(() -> work.remove(timer));
        }
    }

    @Override
    void beforeHooks() {
        // No other thread could run the loop in the meantime.
    }

    // Running

    @Override
    LoopThreadState enter() {
        requireOpen("run");
        StackReserve.requireForWait();
        Thread current = Thread.currentThread();
        if (inside.get() != current) {
            if (!inside.compareAndSet(null, current)) {
                throw new IllegalStateException(
                        "run: " + inside.get() + " runs " + loop + "; use a group for several threads");
            }
            if (isClosed()) {
                // Another thread has closed it since the first check.
                inside.set(null);
                throw loop.closedException("run");
            }
            if (loopThread != null && loopThread != current && !canMove) {
                inside.set(null);
                throw new IllegalStateException("run: only " + loopThread + ", which ran " + loop
                        + " first, may run it; use a group for several threads");
            }
            bind(current);
        }
        return thread;
    }

    private void bind(@Nullable Thread thread) {
        if (loopThread != thread) {
            synchronized (lock) {
                loopThread = thread;
            }
        }
    }

    @Override
    int dispatchingThreads() {
        return inside.get() == null || work.waiting() > 0 ? 0 : 1;
    }

    @Override
    void runUntilStopped(LoopThreadState runner) throws IOException {
        while (!runner.leaving && !stopRequested && !closeRequested) {
            runIteration(runner, TimerQueue.NEVER);
        }
        resetStop();
    }

    @Override
    int runIteration(LoopThreadState runner, long timeoutNanos) throws IOException {
        assert isInside();
        int count = runner.batch == null ? 0 : runner.batch.dispatch();
        if (count > 0) {
            // Called by a hook: these are events that the outer level has not dispatched yet.
            return count;
        }
        if (await(runner, timeoutNanos) > 0) {
            assert runner.batch != null;
            count = runner.batch.dispatch();
        }
        return count + work.dispatch(beforeHooks);
    }

    private int await(LoopThreadState runner, long timeoutNanos) throws IOException {
        work.beginWait();
        try {
            if (runner.batch == null) {
                runner.batch = loop.newBatch();
            }
            // A close that is requested from now on ends the wait.
            int count = runner.batch.await(closeRequested ? 0 : work.waitTime(timeoutNanos));
            if (runner.lacksMemory) {
                runner.resetRetry();
            }
            return count;
        } catch (OutOfMemoryError e) {
            runner.pauseBeforeRetry(e);
            return 0;
        } finally {
            work.endWait();
        }
    }

    @Override
    void runFailed(LoopThreadState runner) {
        closeRequested = true;
    }

    @Override
    void leave(LoopThreadState runner, int before) {
        if (before > 0) {
            runner.depth = before;
            return;
        }
        try {
            if (closeRequested) {
                endOnce();
            }
        } finally {
            exit();
            if (closeRequested) {
                enterAndEnd();
            }
        }
    }

    private void exit() {
        thread.reset();
        inside.set(null);
        if (closeRequested && !isClosed()) {
            notifyEndFailed();
        }
    }

    // Closing

    @Override
    void closeBatches() {
        thread.closeBatch();
    }

    @Override
    void close() {
        closeRequested = true;
        if (!isInside()) {
            endIfIdle();
            awaitEnd();
        }
    }

    @Override
    void endIfIdle() {
        // Without this lock, a thread that can end the loop might wait for one that cannot.
        closing.lock();
        try {
            enterAndEnd();
        } finally {
            closing.unlock();
        }
    }

    @Override
    void requireReturn(long began) {
        ShutdownWait.requireReturn(loop, inside.get(), began);
    }

    private void enterAndEnd() {
        Thread current = Thread.currentThread();
        if (!isClosed() && inside.compareAndSet(null, current)) {
            Thread before = loopThread;
            bind(current);
            // Prevents hooks that run the loop from ending it when they leave.
            thread.depth = 1;
            try {
                endOnce();
            } finally {
                if (!isClosed()) {
                    // This thread could not close the loop.
                    bind(before);
                }
                exit();
            }
        }
    }

    private void endOnce() {
        if (!isClosed()) {
            end();
        }
    }
}
