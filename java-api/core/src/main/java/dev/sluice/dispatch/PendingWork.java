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
 * The timers, signals and tasks of an event loop or of the handle set of a pool, and the wake-ups for them.
 *
 * <p>A thread registers as waiting before it checks for work ({@link #beginWait}), and a thread that adds work checks
 * for waiting threads afterwards: so either the first sees the work, or the second ends a wait. If several threads
 * wait, a wake-up ends the wait of an unspecified one. So a thread that returns from its wait wakes another one, before
 * it calls a hook or leaves, if there is work that no thread handles ({@link #handOver}).
 */
public final class PendingWork {

    private static final Logger LOG = LoggerFactory.getLogger(PendingWork.class);

    private final boolean shared;
    private final Runnable wakeUp;
    private final Timers timers;
    private final TaskQueue tasks;
    private final Signals signals;
    /** Number of threads that wait or are about to wait. */
    private final AtomicInteger waiting = new AtomicInteger();
    /** Whether a wait is about to end; its thread will see all work that has been added before. */
    private final AtomicBoolean waking = new AtomicBoolean();
    /**
     * The thread that runs tasks in order; null if none does. It resets this when it has finished, and before it waits
     * in a task that runs the loop.
     */
    private final AtomicReference<Thread> taskRunner = new AtomicReference<>();
    private final BooleanSupplier runsTasks = () -> taskRunner.get() == Thread.currentThread();
    /** Set before the tasks are run one last time. */
    private volatile boolean ended;

    /**
     * Creates an object without pending work.
     *
     * @param queue  the timer strategy, empty; owned by this object from now on
     * @param clock  the clock of the timers, in nanoseconds
     * @param shared whether several threads wait concurrently
     * @param wakeUp ends the wait of an unspecified thread
     * @param failed receives the handler of a timer or a signal, and its exception; must not throw
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
     * @param recording the trace; null for none
     */
    public void recordTo(DispatchTrace recording) {
        timers.recordTo(recording);
        tasks.recordTo(recording);
        signals.recordTo(recording);
    }

    // Methods that add work, called by any thread; those for timers, if one thread waits, only by that thread

    /**
     * Adds a task to be run.
     *
     * @param task the task
     * @return whether it will be run; false after the end
     * @throws RuntimeException if no thread can be woken up for it; it is not run then
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
            // If no thread can be woken up, the task is rejected, unless a thread that is awake has taken it.
            if (tasks.remove(task)) {
                throw e;
            }
        }
        // The task may have been added after the queue was emptied for the last time.
        return !ended || !tasks.remove(task);
    }

    /**
     * Adds a timer, unless it is cancelled in the meantime.
     *
     * @param timer the timer, which is not in a queue
     */
    public void add(Timer timer) {
        if (timers.add(timer)) {
            wakeOne();
        }
    }

    /**
     * Starts a timer, or restarts it if it is pending.
     *
     * @param timer    a timer that expires once
     * @param deadline the deadline, as a value of the clock
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
     * @param task   the task, run when the signal has arrived
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

    /** Registers the caller as waiting. Must be followed by {@link #endWait()} or {@link #abandonWait()}. */
    public void beginWait() {
        if (shared) {
            waiting.incrementAndGet();
        } else {
            waiting.set(1);
        }
    }

    /** Called instead of {@link #endWait()} if the caller has not waited. */
    public void abandonWait() {
        waiting.decrementAndGet();
    }

    /** Called when the caller has waited. */
    public void endWait() {
        if (shared) {
            timers.endWait();
            waiting.decrementAndGet();
            if (waking.get()) {
                waking.set(false);
            }
        } else {
            // No fence is needed: a thread that sees this too late only ends the next wait, for a task that the loop
            // would see anyway.
            waiting.lazySet(0);
        }
    }

    /**
     * Returns the maximum time for the wait that the caller has begun: zero if there are tasks that the caller would
     * run, and at most the time until the earliest timer.
     *
     * @param timeoutNanos the caller's timeout in nanoseconds, negative or {@link TimerQueue#NEVER} if unbounded
     * @return the time in nanoseconds, {@link Timeout#FOREVER} if unbounded
     */
    public long waitTime(long timeoutNanos) {
        if (shared && timeoutNanos != 0 && runsTasks.getAsBoolean()) {
            // The caller waits in a task: threads that add another one must not rely on the caller to run it.
            taskRunner.set(null);
        }
        if (hasTasks()) {
            Thread runner = taskRunner.get();
            if (runner == null || runner == Thread.currentThread()) {
                return 0;
            }
        }
        long max = timeoutNanos < 0 ? TimerQueue.NEVER : timeoutNanos;
        long wait = timers.unattended ? timers.bound(max) : max;
        return wait == TimerQueue.NEVER ? Timeout.FOREVER : wait;
    }

    private boolean hasTasks() {
        return tasks.counts.get(TaskQueue.TAKEN) != tasks.counts.get(TaskQueue.ADDED);
    }

    /** {@return the number of threads that wait or are about to wait} A snapshot. */
    public int waiting() {
        return waiting.get();
    }

    /**
     * Wakes up another thread if there is work that no thread handles, or will handle when it returns from its wait.
     * Called before the caller calls a hook, or leaves.
     *
     * @param urgent whether a thread must return from its wait for another reason
     */
    public void handOver(boolean urgent) {
        if (waiting.get() > 0 && (urgent || timers.unattended || hasTasks() && taskRunner.get() == null)) {
            wakeOne();
        }
    }

    /** As {@link #handOver}, but logs a failure, for callers that cannot handle an exception. */
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
            // Only once, because not all systems merge several wake-ups into one.
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

    // For event loops, whose threads run tasks one at a time

    /**
     * Calls the handlers of the timers that are due, and runs the queued tasks.
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
        // At most the current number of timers: those that hooks start may be due again if the clock stands still.
        for (int left = timers.size(); timer != null; timer = left-- > 0 ? timers.poll(now) : null) {
            beforeHooks.run();
            timers.fire(timer);
            count++;
            // No thread is woken up for it, because this thread is about to check the timers again.
            timers.repeat(timer, now);
        }
        return count;
    }

    /**
     * Runs the tasks, unless another thread is doing so. That thread checks the queue once more before it waits or
     * leaves, so tasks that are added in the meantime are not missed. It stops after a task that has waited in the
     * loop, because another thread may run tasks by then.
     */
    private int runTasks(Runnable beforeHooks) {
        if (!shared) {
            return tasks.run();
        }
        if (runsTasks.getAsBoolean()) {
            // A task runs the loop, but has not waited there.
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

    // For pools, whose threads run any number of tasks concurrently

    /** {@return whether there are timers} */
    public boolean hasTimers() {
        return !timers.empty;
    }

    /** {@return the number of tasks and signals added so far} */
    public long added() {
        return tasks.added();
    }

    /**
     * {@return whether there may be work to take}
     *
     * @param lastTask as for {@link Due#take}
     * @param now      as for {@link Due#take}
     */
    public boolean hasDue(long lastTask, long now) {
        return tasks.hasUpTo(lastTask) || !ended && timers.mayBeDue(now);
    }

    /** Holder of a task, signal or timer, created before it is taken: a lack of memory could lose it otherwise. */
    public final class Due implements Runnable {

        private Runnable task;
        private Timer timer;

        /** Creates an empty holder. */
        public Due() {
        }

        /**
         * Takes the next task, signal or timer.
         *
         * @param lastTask the number of the last task or signal to take, so that tasks that add tasks do not delay
         *                 other work
         * @param now      the current value of the clock, by which a timer must be due
         * @return false if there is none
         */
        public boolean take(long lastTask, long now) {
            task = tasks.poll(lastTask);
            timer = task == null && !ended ? timers.poll(now) : null;
            return task != null || timer != null;
        }

        /** Runs the task, or calls the hook, that has been taken. */
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

    // Closing

    /** {@return whether no more work is accepted} */
    public boolean hasEnded() {
        return ended;
    }

    /**
     * Rejects further work, and runs the queued tasks in the calling thread. If that fails for lack of memory or stack,
     * the next call continues.
     */
    public void end() {
        signals.end();
        ended = true;
        while (hasTasks()) {
            tasks.run();
        }
    }
}
