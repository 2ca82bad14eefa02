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

/** One thread is inside at a time: the loop thread, which owns everything and takes no lock. */
final class SingleThreadedLoop extends Loop {

    /** Whether another thread may become the loop thread once the previous one has left the loop. */
    private final boolean canMove;
    /** The thread that runs the loop, or ran it last; null until one has. Changed under the lock. */
    private volatile @Nullable Thread loopThread;
    private final Object lock = new Object();
    /** Held by a thread that closes an idle loop, until it is ended or the thread has found that it cannot end it. */
    private final CloseLock closing;
    private final AtomicReference<Thread> inside = new AtomicReference<>();

    /** The one that runs the loop: a thread that takes over continues with it. Used inside the loop. */
    private final LoopStay thread = new LoopStay();

    SingleThreadedLoop(LoopOwner loop, boolean canMove, TimerQueue timers, LongSupplier clock,
            @Nullable DispatchTrace trace) {
        super(loop, timers, clock, false, trace);
        this.canMove = canMove;
        this.closing = new CloseLock(loop);
    }

    // Which thread may do what

    @Override
    boolean isLoopThread() {
        return loopThread == Thread.currentThread();
    }

    @Override
    public boolean isInside() {
        return inside.get() == Thread.currentThread();
    }

    @Override
    LoopStay threadInside() {
        return thread;
    }

    @Override
    public boolean isConfined() {
        // The loop thread also outside of the loop, where no other thread changes anything.
        return isInside() || Thread.holdsLock(lock) || inside.get() == null && isLoopThread();
    }

    @Override
    public boolean perform(Change change) throws IOException {
        if (isInside()) {
            change.make();
            return true;
        }
        if (mayPerform()) {
            // Locked, because another thread may begin to run the loop at this moment.
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
            // Without an object for it: a handle is closed also when there is no memory.
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
            // Without an object for it: a hook cancels its timers at the end also when there is no memory.
            work.remove(timer);
        } else {
            performOrEnqueue(() -> work.remove(timer));
        }
    }

    @Override
    void beforeHooks() {
        // No other thread could serve the loop in the meantime.
    }

    // Running

    @Override
    LoopStay enter() {
        requireOpen("run");
        StackReserve.requireForWait();
        Thread current = Thread.currentThread();
        if (inside.get() != current) {
            if (!inside.compareAndSet(null, current)) {
                throw new IllegalStateException(
                        "run: " + inside.get() + " runs " + loop + "; use a group for several threads");
            }
            if (isClosed()) {
                // Another thread has closed it since the first look.
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
    void runUntilStopped(LoopStay runner) throws IOException {
        while (!runner.leaving && !stopRequested && !closeRequested) {
            runIteration(runner, TimerQueue.NEVER);
        }
        resetStop();
    }

    @Override
    int runIteration(LoopStay runner, long timeoutNanos) throws IOException {
        assert isInside();
        int count = runner.batch == null ? 0 : runner.batch.dispatch();
        if (count > 0) {
            // Inside a handler: something was left that the outer level had not got to.
            return count;
        }
        if (await(runner, timeoutNanos) > 0) {
            assert runner.batch != null;
            count = runner.batch.dispatch();
        }
        return count + work.dispatch(beforeHooks);
    }

    private int await(LoopStay runner, long timeoutNanos) throws IOException {
        work.beginWait();
        try {
            if (runner.batch == null) {
                runner.batch = loop.newBatch();
            }
            // A close that is requested from now on ends the wait.
            int count = runner.batch.await(closeRequested ? 0 : work.waitTime(timeoutNanos));
            if (runner.lacksMemory) {
                runner.endShortage();
            }
            return count;
        } catch (OutOfMemoryError e) {
            runner.outlastShortage(e);
            return 0;
        } finally {
            work.endWait();
        }
    }

    @Override
    void runFailed(LoopStay runner) {
        closeRequested = true;
    }

    @Override
    void leave(LoopStay runner, int before) {
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
                endAlone();
            }
        }
    }

    private void exit() {
        thread.reset();
        inside.set(null);
        if (closeRequested && !isClosed()) {
            leftUnended();
        }
    }

    // The end

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
        // Or else the one that can end it may wait for the one that cannot.
        closing.lock();
        try {
            endAlone();
        } finally {
            closing.unlock();
        }
    }

    @Override
    void requireReturn(long began) {
        ShutdownWait.requireReturn(loop, inside.get(), began);
    }

    private void endAlone() {
        Thread current = Thread.currentThread();
        if (!isClosed() && inside.compareAndSet(null, current)) {
            Thread before = loopThread;
            bind(current);
            // So that hooks that run the loop in the meantime do not end it themselves when they leave.
            thread.depth = 1;
            try {
                endOnce();
            } finally {
                if (!isClosed()) {
                    // It was not for this thread to close.
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
