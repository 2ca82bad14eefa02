package dev.sluice.dispatch;

import dev.sluice.deadline.Timeout;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.failure.StackReserve;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timers, signals and tasks that an event loop or the handle set of a pool attends to, and the wake-ups for them.
 *
 * <p>A thread that waits says so before it looks for work ({@link #beginWait}), and a thread that adds work first adds
 * it and then looks for threads that wait: so either the one sees the work, or the other ends a wait. Where several
 * threads wait, a wake-up ends the wait of an unspecified one. So a thread that returns from its wait wakes another
 * one, before it calls a hook or leaves, if there is work that no thread attends to ({@link #handOver}).
 */
public final class PendingWork {

    private static final Logger LOG = LoggerFactory.getLogger(PendingWork.class);

    private final boolean shared;
    private final Runnable wakeUp;
    private final Timers timers;
    private final TaskQueue tasks;
    private final Signals signals;
    /** How many threads are about to wait, or wait. */
    private final AtomicInteger waiting = new AtomicInteger();
    /** Whether a wait is about to end; its thread will see everything that has been added by then. */
    private final AtomicBoolean waking = new AtomicBoolean();
    /**
     * The thread that runs tasks in their order; null if none does. It takes itself out, also to wait in a task that
     * runs the loop.
     */
    private final AtomicReference<Thread> taskRunner = new AtomicReference<>();
    private final BooleanSupplier runsTasks = () -> taskRunner.get() == Thread.currentThread();
    /** Set before the tasks are run one last time. */
    private volatile boolean ended;

    /**
     * Begins with nothing to do.
     *
     * @param queue  the strategy that keeps the timers, empty; owned by this object from now on
     * @param clock  the nanoseconds by which they expire
     * @param shared whether several threads wait at once
     * @param wakeUp ends a wait, no matter which
     * @param failed takes the handler of a timer or a signal, and what it has thrown; must not throw
     */
    public PendingWork(TimerQueue queue, LongSupplier clock, boolean shared, Runnable wakeUp,
            BiConsumer<Object, Throwable> failed) {
        this.shared = shared;
        this.wakeUp = wakeUp;
        this.timers = new Timers(queue, clock, shared, failed);
        this.tasks = new TaskQueue(shared);
        this.signals = new Signals(this::arrived, failed);
    }

    /**
     * Records the calls of hooks from now on.
     *
     * @param recording records them; null for none
     */
    public void recordTo(DispatchTrace recording) {
        timers.recordTo(recording);
        tasks.recordTo(recording);
        signals.recordTo(recording);
    }

    // Added by any thread; timers, if one thread waits, only by that thread

    /**
     * Adds a task to be run.
     *
     * @param task the task
     * @return whether it will be run; false after the end
     * @throws RuntimeException if no thread can be woken up for it; it is not run
     */
    public boolean execute(Runnable task) {
        if (ended) {
            // A task that is added now would stay in the queue.
            return false;
        }
        StackReserve.require();
        tasks.add(task);
        try {
            if (taskRunner.get() == null) {
                wakeOne();
            }
        } catch (RuntimeException | Error e) {
            // If no thread can be woken up, the task is refused, unless a thread that is awake has taken it.
            if (tasks.remove(task)) {
                throw e;
            }
        }
        // It may have been added after the queue was emptied one last time.
        return !ended || !tasks.remove(task);
    }

    /**
     * Adds a timer, unless it is cancelled in the meantime.
     *
     * @param timer in no queue
     */
    public void add(Timer timer) {
        if (timers.add(timer)) {
            wakeOne();
        }
    }

    /**
     * Starts a timer, or restarts it if it is pending.
     *
     * @param timer    fires once
     * @param deadline on the scale of the clock
     */
    public void start(Timer timer, long deadline) {
        if (timers.start(timer, deadline)) {
            wakeOne();
        }
    }

    /**
     * Removes a cancelled timer, unless it has been started again since.
     *
     * @param timer the timer
     */
    public void remove(Timer timer) {
        timers.remove(timer);
    }

    /**
     * Adds a task for a signal.
     *
     * @param signal the signal
     * @param task   run when it has arrived
     * @return false after the end
     */
    public boolean add(OsSignal signal, Runnable task) {
        return signals.add(signal, task);
    }

    /** Removes all tasks for a signal. */
    public void remove(OsSignal signal) {
        signals.remove(signal);
    }

    private void arrived(Signals.Arrival signal) {
        if (!ended) {
            tasks.add(signal);
            handOverOrLog();
        }
    }

    // Waiting

    /** The caller is about to wait. Must be followed by {@link #endWait()} or {@link #abandonWait()}. */
    public void beginWait() {
        if (shared) {
            waiting.incrementAndGet();
        } else {
            waiting.set(1);
        }
    }

    /** The caller does not wait after all. */
    public void abandonWait() {
        waiting.decrementAndGet();
    }

    /** The caller has waited. */
    public void endWait() {
        if (shared) {
            timers.endWait();
            waiting.decrementAndGet();
            if (waking.get()) {
                waking.set(false);
            }
        } else {
            // No fence is needed: a thread that sees this too late merely wakes up the next wait, for a task that the
            // loop would see anyway.
            waiting.lazySet(0);
        }
    }

    /**
     * How long the wait that the caller has begun may last: not at all if there are tasks that the caller would run,
     * and no longer than until the earliest timer.
     *
     * @param timeoutNanos the longest it would wait in nanoseconds, negative or {@link TimerQueue#NEVER} if forever
     * @return how long it may wait, {@link Timeout#FOREVER} if forever
     */
    public long waitTime(long timeoutNanos) {
        if (shared && timeoutNanos != 0 && runsTasks.getAsBoolean()) {
            // The caller waits in a task: a thread that adds another one would rely on the caller to run it.
            taskRunner.set(null);
        }
        if (hasTasks()) {
            Thread runner = taskRunner.get();
            if (runner == null || runner == Thread.currentThread()) {
                return 0;
            }
        }
        long most = timeoutNanos < 0 ? TimerQueue.NEVER : timeoutNanos;
        long wait = timers.unattended ? timers.bound(most) : most;
        return wait == TimerQueue.NEVER ? Timeout.FOREVER : wait;
    }

    private boolean hasTasks() {
        return tasks.counts.get(TaskQueue.TAKEN) != tasks.counts.get(TaskQueue.ADDED);
    }

    /** {@return how many threads wait, or are about to} A snapshot. */
    public int waiting() {
        return waiting.get();
    }

    /**
     * Wakes up another thread if there is work that no thread attends to, nor will when it returns from its wait.
     * Called before the caller calls a hook, or leaves.
     *
     * @param urgent whether there is something else for which a thread has to return from its wait
     */
    public void handOver(boolean urgent) {
        if (waiting.get() > 0 && (urgent || timers.unattended || hasTasks() && taskRunner.get() == null)) {
            wakeOne();
        }
    }

    /** Does as {@link #handOver}, and logs a failure, for callers to whom an exception means nothing. */
    public void handOverOrLog() {
        try {
            handOver(false);
        } catch (RuntimeException e) {
            LOG.warn("cannot wake a thread for a timer or signal; it is delayed until the next event", e);
        }
    }

    /** Ends a wait, if a thread may be in one. */
    private void wakeOne() {
        if (waiting.get() == 0) {
            return;
        }
        if (!shared) {
            wakeUp.run();
        } else if (waking.compareAndSet(false, true)) {
            // Only once, since not every system merges several wake-ups into one.
            boolean woken = false;
            try {
                wakeUp.run();
                woken = true;
            } finally {
                if (!woken) {
                    waking.set(false);
                }
            }
        }
    }

    // Taken by an event loop, whose threads run tasks one at a time

    /**
     * Fires the timers that are due, and runs the tasks that are there.
     *
     * @param beforeHooks called before hooks
     * @return the number of hooks and tasks called
     */
    public int dispatch(Runnable beforeHooks) {
        return (timers.empty ? 0 : expire(beforeHooks)) + (hasTasks() ? runTasks(beforeHooks) : 0);
    }

    private int expire(Runnable beforeHooks) {
        int count = 0;
        long now = timers.now();
        Timer timer = timers.poll(now);
        // What hooks start is left to the next iteration: by a clock that stands still it may be due again and again.
        for (int left = timers.size(); timer != null; timer = left-- > 0 ? timers.poll(now) : null) {
            beforeHooks.run();
            timers.fire(timer);
            count++;
            // No thread is woken up for it: this one is about to look again.
            timers.repeat(timer, now);
        }
        return count;
    }

    /**
     * Runs the tasks, unless another thread is doing so. That thread looks at the queue once more when it is done,
     * before it waits or leaves, so no task that was added in the meantime is left behind. It stops after a task that
     * has waited in the loop, since others may run tasks by then.
     */
    private int runTasks(Runnable beforeHooks) {
        if (!shared) {
            return tasks.run();
        }
        if (runsTasks.getAsBoolean()) {
            // A task runs the loop, and has not waited there.
            return tasks.run(runsTasks);
        }
        Thread current = Thread.currentThread();
        if (!taskRunner.compareAndSet(null, current)) {
            return 0;
        }
        try {
            beforeHooks.run();
            return tasks.run(runsTasks);
        } finally {
            taskRunner.compareAndSet(current, null);
        }
    }

    // Taken by a pool, whose threads run any number of tasks at once

    /** {@return whether there are timers} */
    public boolean hasTimers() {
        return !timers.empty;
    }

    /** {@return the number of tasks and signals added so far} */
    public long added() {
        return tasks.added();
    }

    /**
     * {@return whether there may be something to take}
     *
     * @param lastTask as for {@link Due#take}
     * @param now      as for {@link Due#take}
     */
    public boolean hasDue(long lastTask, long now) {
        return tasks.hasUpTo(lastTask) || !ended && timers.mayBeDue(now);
    }

    /** A place for a task, signal or timer. Made before one is taken, which a lack of memory could lose otherwise. */
    public final class Due implements Runnable {

        private Runnable task;
        private Timer timer;

        /** Begins with nothing. */
        public Due() {
        }

        /**
         * Takes the next task, signal or timer.
         *
         * @param lastTask the number of the last task or signal to take, so that tasks that add tasks delay nothing
         *                 else
         * @param now      the time by which a timer has to be due, on the scale of the clock
         * @return false if there is none
         */
        public boolean take(long lastTask, long now) {
            task = tasks.poll(lastTask);
            timer = task == null && !ended ? timers.poll(now) : null;
            return task != null || timer != null;
        }

        /** Calls the hook of what has been taken. */
        @Override
        public void run() {
            if (task != null) {
                tasks.run(task);
                return;
            }
            try {
                timers.fire(timer);
            } finally {
                if (!ended && timers.repeat(timer, timers.now())) {
                    handOverOrLog();
                }
            }
        }
    }

    // The end

    /** {@return whether this has ended, or is about to} */
    public boolean hasEnded() {
        return ended;
    }

    /**
     * Takes no more, and runs the tasks that are there in the calling thread. If that fails for lack of memory or
     * stack, the next call continues.
     */
    public void end() {
        signals.end();
        ended = true;
        while (hasTasks()) {
            tasks.run();
        }
    }
}
