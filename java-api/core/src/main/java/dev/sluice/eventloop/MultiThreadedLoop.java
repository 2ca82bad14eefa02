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
 * Any number of threads are inside at once. A wake-up ends the wait of only one of them, no matter which, so a thread
 * that returns from a wait hands on whatever is not meant for it alone.
 */
final class MultiThreadedLoop extends Loop {

    private final Object lock = new Object();
    /** Changed under the lock. */
    private final Map<Thread, LoopStay> inside = new ConcurrentHashMap<>();
    /** Those of threads that have left, for threads that enter. Under the lock. */
    private @Nullable LoopStay unused;
    /** How many of the waiting threads a stop must get out. */
    private final AtomicInteger waitingRuns = new AtomicInteger();
    /** How many calls of {@link #run} there are, nested ones included. Under the lock. */
    private int runs;

    MultiThreadedLoop(LoopOwner loop, TimerQueue timers, LongSupplier clock, @Nullable DispatchTrace trace) {
        super(loop, timers, clock, true, trace);
    }

    // Which thread may do what

    @Override
    boolean isLoopThread() {
        return isInside();
    }

    @Override
    public boolean isInside() {
        return inside.containsKey(Thread.currentThread());
    }

    @Override
    LoopStay threadInside() {
        LoopStay thread = inside.get(Thread.currentThread());
        assert thread != null;
        return thread;
    }

    @Override
    public boolean isConfined() {
        // What threads share here has its own locks.
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
    LoopStay enter() {
        StackReserve.requireForWait();
        Thread current = Thread.currentThread();
        LoopStay thread = inside.get(current);
        if (thread == null) {
            synchronized (lock) {
                // No thread may enter any more, so that a last one leaves.
                if (closeRequested) {
                    throw loop.closedException("run");
                }
                thread = putInside(current);
            }
        }
        return thread;
    }

    private LoopStay putInside(Thread current) {
        assert Thread.holdsLock(lock);
        LoopStay thread = unused == null ? new LoopStay() : unused;
        inside.put(current, thread);
        unused = thread.nextUnused;
        thread.nextUnused = null;
        return thread;
    }

    private void removeInside(Thread current) {
        assert Thread.holdsLock(lock);
        LoopStay thread = inside.remove(current);
        assert thread != null;
        thread.reset();
        thread.nextUnused = unused;
        unused = thread;
    }

    @Override
    int dispatchingThreads() {
        // Those that come or go between the two looks are taken for either.
        return Math.max(0, inside.size() - work.waiting());
    }

    @Override
    void runUntilStopped(LoopStay thread) throws IOException {
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
    int runIteration(LoopStay thread, long timeoutNanos) throws IOException {
        return runIteration(thread, timeoutNanos, false);
    }

    /** One iteration, either as part of a run, which a stop ends, or on its own. */
    private int runIteration(LoopStay thread, long timeoutNanos, boolean running) throws IOException {
        assert isInside();
        int count = thread.batch == null ? 0 : thread.batch.dispatch();
        if (count > 0) {
            // Inside a handler: something was left that the outer level had not got to.
            return count;
        }
        if (beginWait(running) && await(thread, timeoutNanos, running) > 0) {
            // This thread is about to call hooks.
            handOver();
            assert thread.batch != null;
            count = thread.batch.dispatch();
        }
        return count + work.dispatch(beforeHooks);
    }

    private int await(LoopStay thread, long timeoutNanos, boolean running) throws IOException {
        try {
            int count = awaitBounded(thread, timeoutNanos, running);
            if (thread.lacksMemory) {
                thread.endShortage();
            }
            return count;
        } catch (OutOfMemoryError e) {
            thread.outlastShortage(e);
            return 0;
        }
    }

    private int awaitBounded(LoopStay thread, long timeoutNanos, boolean running) throws IOException {
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
     * The caller is about to wait. Called before it looks for something to do instead, so that a thread that adds
     * something either sees the waiting thread, or what it adds is seen by the waiting thread.
     *
     * @return whether it may wait; only then must it call {@link #endWait}
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
            // A thread that waited now might take the wake-up that is meant to get the others out.
            awaitStop();
        }
        return false;
    }

    /** Waits until all threads that must stop know of it, which is soon. */
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
     * Called before the caller calls hooks or leaves: gets another thread to attend to what should not wait for that.
     */
    private void handOver() {
        work.handOver(closeRequested || stopRequested && waitingRuns.get() > 0);
    }

    @Override
    void runFailed(LoopStay thread) {
        thread.failed = true;
    }

    @Override
    void leave(LoopStay thread, int before) {
        if (before > 0) {
            thread.depth = before;
            handOver();
            return;
        }
        Thread current = Thread.currentThread();
        boolean out;
        try {
            if (thread.batch != null) {
                thread.batch.leave();
            }
        } finally {
            out = exit(current, thread);
        }
        if (out) {
            handOver();
        } else {
            endAndExit(current);
        }
    }

    /** {@return false if the caller must end the loop first} */
    private boolean exit(Thread current, LoopStay thread) {
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

    // The end

    @Override
    void closeBatches() {
        threadInside().closeBatch();
        synchronized (lock) {
            for (LoopStay each = unused; each != null; each = each.nextUnused) {
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
                leftUnended();
            }
        }
    }
}
