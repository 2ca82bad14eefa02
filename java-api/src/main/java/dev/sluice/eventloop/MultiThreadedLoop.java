package dev.sluice.eventloop;

import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.failure.ShutdownWait;
import dev.sluice.failure.StackReserve;
import dev.sluice.timekeeping.SharedTimers;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * Any number of threads are inside at once. A wake-up ends the wait of only one of them, no matter which, so a thread
 * that returns from a wait hands on whatever is not meant for it alone.
 */
final class MultiThreadedLoop extends Loop {

    private final Object lock = new Object();
    /** Changed under the lock. */
    private final Map<Thread, LoopThread> inside = new ConcurrentHashMap<>();
    /** Those of threads that have left, for threads that enter. Under the lock. */
    private LoopThread unused;
    private final AtomicInteger waiting = new AtomicInteger();
    /** Whether a wait is about to end; its thread will see everything that has been added by then. */
    private final AtomicBoolean waking = new AtomicBoolean();
    /** How many of the waiting threads a stop must get out. */
    private final AtomicInteger waitingRuns = new AtomicInteger();
    /** How many calls of {@link #run} there are, nested ones included. Under the lock. */
    private int runs;
    /**
     * The thread that runs tasks, only one so that they stay in order; null if none does. It takes itself out, also to
     * wait in a task that runs the loop.
     */
    private final AtomicReference<Thread> taskRunner = new AtomicReference<>();
    private final BooleanSupplier runsTasks = () -> taskRunner.get() == Thread.currentThread();
    private final SharedTimers timers;

    MultiThreadedLoop(EventLoop loop, TimerQueue timers, DispatchTrace trace) {
        super(loop, trace);
        this.timers = new SharedTimers(timers);
    }

    // Which thread may do what

    @Override
    boolean isLoopThread() {
        return isInside();
    }

    @Override
    boolean isInside() {
        return inside.containsKey(Thread.currentThread());
    }

    @Override
    boolean isConfined() {
        return Thread.holdsLock(lock);
    }

    @Override
    boolean perform(EventLoop.LoopAction action) throws IOException {
        synchronized (lock) {
            action.perform();
            return true;
        }
    }

    // Tasks

    @Override
    void taskAdded() {
        if (taskRunner.get() == null) {
            wakeAWaiter();
        }
    }

    /**
     * Runs the tasks, unless another thread is doing so. That thread looks at the queue once more when it is done,
     * before it waits or leaves, so no task that was added meanwhile is left behind. It stops after a task that has
     * waited in the loop, since others may run tasks by then.
     */
    private int runTasks() {
        if (tasks().isEmpty()) {
            return 0;
        }
        if (runsTasks.getAsBoolean()) {
            // A task runs the loop, and has not waited there.
            return tasks().run(runsTasks);
        }
        Thread current = Thread.currentThread();
        if (!taskRunner.compareAndSet(null, current)) {
            return 0;
        }
        try {
            handOver();
            return tasks().run(runsTasks);
        } finally {
            taskRunner.compareAndSet(current, null);
        }
    }

    /**
     * A task, perhaps a signal's, is about to wait in the loop, and whoever adds another one would count on its thread
     * to run that. Called before the wait looks for tasks.
     */
    private void leaveTasksToOthers() {
        if (runsTasks.getAsBoolean()) {
            taskRunner.set(null);
        }
    }

    /** {@return whether there are tasks that the calling thread must run} */
    private boolean hasTasks() {
        if (tasks().isEmpty()) {
            return false;
        }
        Thread runner = taskRunner.get();
        return runner == null || runner == Thread.currentThread();
    }

    // Timers

    @Override
    void add(Timer timer) {
        if (timers.add(timer)) {
            wakeAWaiter();
        }
    }

    @Override
    void remove(Timer timer) {
        timers.remove(timer);
    }

    private int expire() {
        if (timers.isEmpty()) {
            return 0;
        }
        int count = 0;
        long now = System.nanoTime();
        for (Timer timer = timers.poll(now); timer != null; timer = timers.poll(now)) {
            handOver();
            if (fire(timer)) {
                count++;
            }
            // No thread is woken up for it: this one is about to look again.
            timers.repeat(timer, now);
        }
        return count;
    }

    // Running

    @Override
    LoopThread enter() {
        StackReserve.requireForWait();
        Thread current = Thread.currentThread();
        LoopThread thread = inside.get(current);
        if (thread == null) {
            synchronized (lock) {
                // No thread may enter any more, so that a last one leaves.
                if (isCloseRequested()) {
                    throw loop().closedException();
                }
                thread = putInside(current);
            }
        }
        return thread;
    }

    private LoopThread putInside(Thread current) {
        assert Thread.holdsLock(lock);
        LoopThread thread = unused == null ? new LoopThread() : unused;
        inside.put(current, thread);
        unused = thread.nextUnused;
        thread.nextUnused = null;
        return thread;
    }

    private void removeInside(Thread current) {
        assert Thread.holdsLock(lock);
        LoopThread thread = inside.remove(current);
        thread.reset();
        thread.nextUnused = unused;
        unused = thread;
    }

    @Override
    void leaveRun() {
        inside.get(Thread.currentThread()).leaving = true;
    }

    @Override
    int dispatchingThreads() {
        // Those that come or go between the two looks are taken for either.
        return Math.max(0, inside.size() - waiting.get());
    }

    @Override
    void runUntilStopped(LoopThread thread) throws IOException {
        synchronized (lock) {
            runs++;
        }
        try {
            while (!thread.leaving && !isStopRequested() && !isCloseRequested()) {
                runIteration(thread, TimerQueue.NEVER, true);
            }
        } finally {
            synchronized (lock) {
                runs--;
                if (runs == 0) {
                    stopped();
                }
            }
        }
    }

    @Override
    int runIteration(LoopThread thread, long timeoutNanos) throws IOException {
        return runIteration(thread, timeoutNanos, false);
    }

    /** One iteration, either as part of a run, which a stop ends, or on its own. */
    private int runIteration(LoopThread thread, long timeoutNanos, boolean running) throws IOException {
        assert isInside();
        int count = loop().dispatchPending(thread);
        if (count > 0) {
            // Inside a handler: something was left that the outer level had not got to.
            return count;
        }
        if (beginWait(running) && await(thread, timeoutNanos, running) > 0) {
            // This thread is about to call hooks.
            handOver();
            count = loop().dispatchPending(thread);
        }
        count += expire();
        return count + runTasks();
    }

    private int await(LoopThread thread, long timeoutNanos, boolean running) throws IOException {
        try {
            int count = awaitBounded(thread, timeoutNanos, running);
            thread.shortage.end();
            return count;
        } catch (OutOfMemoryError e) {
            thread.shortage.outlast(e);
            return 0;
        }
    }

    private int awaitBounded(LoopThread thread, long timeoutNanos, boolean running) throws IOException {
        try {
            return loop().await(thread, waitTime(timeoutNanos));
        } finally {
            timers.endWait();
            endWait(running);
        }
    }

    private long waitTime(long timeoutNanos) {
        if (timeoutNanos != 0) {
            leaveTasksToOthers();
        }
        if (hasTasks() || isCloseRequested()) {
            return 0;
        }
        long wait = timers.bound(timeoutNanos);
        return wait == TimerQueue.NEVER ? SynchronousEventDemultiplexer.FOREVER : wait;
    }

    /**
     * The caller is about to wait. Called before it looks for something to do instead, so that a thread that adds
     * something either sees the waiting thread, or what it adds is seen by the waiting thread.
     *
     * @return whether it may wait; only then must it call {@link #endWait}
     */
    private boolean beginWait(boolean running) {
        waiting.incrementAndGet();
        if (running) {
            waitingRuns.incrementAndGet();
        }
        if (!isStopRequested() || !running && waitingRuns.get() == 0) {
            return true;
        }
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
            while (isStopRequested() && waitingRuns.get() > 0) {
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
        waking.set(false);
        if (isStopRequested() || isCloseRequested()) {
            handOver();
        }
    }

    private void forgetWait(boolean running) {
        waiting.decrementAndGet();
        if (running && waitingRuns.decrementAndGet() == 0 && isStopRequested()) {
            synchronized (lock) {
                lock.notifyAll();
            }
        }
    }

    /** Something has been added: ends a wait, if a thread may be in one. */
    private void wakeAWaiter() {
        // Only once, since not every system merges several wake-ups into one.
        if (waiting.get() > 0 && waking.compareAndSet(false, true)) {
            boolean woken = false;
            try {
                loop().wakeUp();
                woken = true;
            } finally {
                if (!woken) {
                    waking.set(false);
                }
            }
        }
    }

    /**
     * Called before the caller calls hooks or leaves: gets another thread to attend to what should not wait for that.
     */
    private void handOver() {
        if (waiting.get() > 0 && (isCloseRequested() || isStopRequested() && waitingRuns.get() > 0
                || hasUnattended())) {
            wakeAWaiter();
        }
    }

    /**
     * {@return whether there is something to do that no thread attends to, and that should not wait until one returns
     * from its hooks}
     */
    private boolean hasUnattended() {
        return timers.isUnattended() || !tasks().isEmpty() && taskRunner.get() == null;
    }

    @Override
    void runFailed(LoopThread thread) {
        thread.failed = true;
    }

    @Override
    void leave(LoopThread thread, int before) {
        if (before > 0) {
            thread.depth = before;
            handOver();
            return;
        }
        Thread current = Thread.currentThread();
        boolean out;
        try {
            loop().afterDispatch(thread);
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
    private boolean exit(Thread current, LoopThread thread) {
        synchronized (lock) {
            if (thread.failed && inside.size() == 1) {
                requestClose();
            }
            boolean ends = isCloseRequested() && inside.size() == 1;
            if (!ends) {
                removeInside(current);
            }
            return !ends;
        }
    }

    // The end

    @Override
    void closeBatches() {
        loop().closeBatch(inside.get(Thread.currentThread()));
        synchronized (lock) {
            for (LoopThread each = unused; each != null; each = each.nextUnused) {
                loop().closeBatch(each);
            }
        }
    }

    @Override
    void close() {
        requestClose();
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
            ShutdownWait.requireReturn(loop(), each, began);
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
