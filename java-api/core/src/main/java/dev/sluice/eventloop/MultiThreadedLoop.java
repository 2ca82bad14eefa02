package dev.sluice.eventloop;

import dev.sluice.failure.ShutdownWait;
import dev.sluice.failure.StackReserve;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A loop that any number of threads run concurrently. A wake-up ends the wait of any one of them, so a thread that
 * returns from a wait forwards a wake-up that is not meant for it alone.
 */
final class MultiThreadedLoop extends Loop {

    private final Object lock = new Object();
    /** The threads inside the loop. Changed under the lock. */
    private final Map<Thread, LoopThreadState> inside = new ConcurrentHashMap<>();
    /** List of the states of threads that have left, for threads that enter. Guarded by the lock. */
    private @Nullable LoopThreadState unused;
    /** Number of waiting threads that a stop must wake up. */
    private final AtomicInteger waitingRuns = new AtomicInteger();
    /** Number of calls of {@link #run} in progress, including nested ones. Guarded by the lock. */
    private int runs;

    MultiThreadedLoop(LoopOwner loop, TimerQueue timers, LongSupplier clock, @Nullable DispatchTrace trace) {
        super(loop, timers, clock, true, trace);
    }

    // Thread rules

    @Override
    boolean isLoopThread() {
        return isInside();
    }

    @Override
    public boolean isInside() {
        return inside.containsKey(Thread.currentThread());
    }

    @Override
    LoopThreadState threadInside() {
        LoopThreadState thread = inside.get(Thread.currentThread());
        assert thread != null;
        return thread;
    }

    @Override
    public boolean isConfined() {
        // The state that threads share has locks of its own.
        return true;
    }

    @Override
    public boolean perform(Change change) throws IOException {
        change.make();
        return true;
    }

    @Override
    public void performOrEnqueue(Runnable action) {
        action.run();
    }

    // Timers

    @Override
    void add(Timer timer) {
        work.add(timer);
    }

    @Override
    void start(Timer timer, long deadline) {
        work.start(timer, deadline);
    }

    @Override
    void remove(Timer timer) {
        work.remove(timer);
    }

    @Override
    void beforeHooks() {
        handOver();
    }

    // Running

    @Override
    LoopThreadState enter() {
        StackReserve.requireForWait();
        Thread current = Thread.currentThread();
        LoopThreadState thread = inside.get(current);
        if (thread == null) {
            synchronized (lock) {
                // No thread may enter any more, so that there is a last one to leave.
                if (closeRequested) {
                    throw loop.closedException("run");
                }
                thread = putInside(current);
            }
        }
        return thread;
    }

    private LoopThreadState putInside(Thread current) {
        assert Thread.holdsLock(lock);
        LoopThreadState thread = unused == null ? new LoopThreadState() : unused;
        inside.put(current, thread);
        unused = thread.nextUnused;
        thread.nextUnused = null;
        return thread;
    }

    private void removeInside(Thread current) {
        assert Thread.holdsLock(lock);
        LoopThreadState thread = inside.remove(current);
        assert thread != null;
        thread.reset();
        thread.nextUnused = unused;
        unused = thread;
    }

    @Override
    int dispatchingThreads() {
        // A thread that enters or leaves between the two reads may be counted either way.
        return Math.max(0, inside.size() - work.waiting());
    }

    @Override
    void runUntilStopped(LoopThreadState thread) throws IOException {
        synchronized (lock) {
            runs++;
        }
        try {
            while (!thread.leaving && !stopRequested && !closeRequested) {
                runIteration(thread, TimerQueue.NEVER, true);
            }
        } finally {
            synchronized (lock) {
                runs--;
                if (runs == 0) {
                    resetStop();
                }
            }
        }
    }

    @Override
    int runIteration(LoopThreadState thread, long timeoutNanos) throws IOException {
        return runIteration(thread, timeoutNanos, false);
    }

    /** Runs one iteration, either as part of a run, which a stop ends, or individually. */
    private int runIteration(LoopThreadState thread, long timeoutNanos, boolean running) throws IOException {
        assert isInside();
        int count = thread.batch == null ? 0 : thread.batch.dispatch();
        if (count > 0) {
            // Called by a hook: these are events that the outer level has not dispatched yet.
            return count;
        }
        if (beginWait(running) && await(thread, timeoutNanos, running) > 0) {
            // Because this thread is about to call hooks.
            handOver();
            assert thread.batch != null;
            count = thread.batch.dispatch();
        }
        return count + work.dispatch(beforeHooks);
    }

    private int await(LoopThreadState thread, long timeoutNanos, boolean running) throws IOException {
        try {
            int count = awaitBounded(thread, timeoutNanos, running);
            if (thread.lacksMemory) {
                thread.resetRetry();
            }
            return count;
        } catch (OutOfMemoryError e) {
            thread.pauseBeforeRetry(e);
            return 0;
        }
    }

    private int awaitBounded(LoopThreadState thread, long timeoutNanos, boolean running) throws IOException {
        try {
            if (thread.batch == null) {
                thread.batch = loop.newBatch();
            }
            return thread.batch.await(closeRequested ? 0 : work.waitTime(timeoutNanos));
        } finally {
            endWait(running);
        }
    }

    /**
     * Registers the caller as waiting. Called before it checks for pending work, so that either a thread that adds work
     * sees the waiting thread, or the waiting thread sees the work.
     *
     * @return whether it may wait; only in that case must it call {@link #endWait}
     */
    private boolean beginWait(boolean running) {
        work.beginWait();
        if (running) {
            waitingRuns.incrementAndGet();
        }
        if (!stopRequested || !running && waitingRuns.get() == 0) {
            return true;
        }
        work.abandonWait();
        forgetWait(running);
        if (!running) {
            // If this thread waited now, it might consume the wake-up that is meant for the others.
            awaitStop();
        }
        return false;
    }

    /** Waits until all threads that must stop have ended their waits, which is soon. */
    private void awaitStop() {
        synchronized (lock) {
            while (stopRequested && waitingRuns.get() > 0) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    private void endWait(boolean running) {
        forgetWait(running);
        work.endWait();
        if (stopRequested || closeRequested) {
            handOver();
        }
    }

    private void forgetWait(boolean running) {
        if (running && waitingRuns.decrementAndGet() == 0 && stopRequested) {
            synchronized (lock) {
                lock.notifyAll();
            }
        }
    }

    /**
     * Called before the caller calls hooks or leaves. Wakes up another thread for work that should not wait for that.
     */
    private void handOver() {
        work.handOver(closeRequested || stopRequested && waitingRuns.get() > 0);
    }

    @Override
    void runFailed(LoopThreadState thread) {
        thread.failed = true;
    }

    @Override
    void leave(LoopThreadState thread, int before) {
        if (before > 0) {
            thread.depth = before;
            handOver();
            return;
        }
        Thread current = Thread.currentThread();
        boolean exited;
        try {
            if (thread.batch != null) {
                thread.batch.leave();
            }
        } finally {
            exited = exit(current, thread);
        }
        if (exited) {
            handOver();
        } else {
            endAndExit(current);
        }
    }

    /** {@return false if the caller must end the loop first} */
    private boolean exit(Thread current, LoopThreadState thread) {
        synchronized (lock) {
            if (thread.failed && inside.size() == 1) {
                closeRequested = true;
            }
            boolean ends = closeRequested && inside.size() == 1;
            if (!ends) {
                removeInside(current);
            }
            return !ends;
        }
    }

    // Closing

    @Override
    void closeBatches() {
        threadInside().closeBatch();
        synchronized (lock) {
            for (LoopThreadState each = unused; each != null; each = each.nextUnused) {
                each.closeBatch();
            }
        }
    }

    @Override
    void close() {
        closeRequested = true;
        if (isInside()) {
            handOver();
        } else {
            endIfIdle();
            awaitEnd();
        }
    }

    @Override
    void endIfIdle() {
        Thread current = Thread.currentThread();
        synchronized (lock) {
            if (isClosed() || !inside.isEmpty()) {
                return;
            }
            putInside(current).depth++;
        }
        endAndExit(current);
    }

    @Override
    void requireReturn(long began) {
        for (Thread each : inside.keySet()) {
            ShutdownWait.requireReturn(loop, each, began);
        }
    }

    private void endAndExit(Thread current) {
        try {
            end();
        } finally {
            synchronized (lock) {
                removeInside(current);
            }
            if (!isClosed()) {
                notifyEndFailed();
            }
        }
    }
}
