package dev.sluice.dispatch;

import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.SignalHandler;
import dev.sluice.failure.StackReserve;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timers, signals and tasks that an event loop or the handle set of a pool attends to, and the wake-ups for them.
 *
 * <p>A thread that waits says so before it looks for work ({@link #beginWait}), and a thread that adds work first adds
 * it and then looks for threads that wait: so either the one sees the work, or the other ends a wait. Where several
 * threads wait, a wake-up ends any one of their waits. So a thread that returns from a wait, before it turns to a hook
 * or leaves, has another one woken up if there is work that none attends to ({@link #isUnattended}).
 */
public final class PendingWork {

    private static final Logger LOG = LoggerFactory.getLogger(PendingWork.class);

    private final boolean shared;
    private final Runnable wakeUp;
    private final BiConsumer<Object, Throwable> failed;
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
    private volatile DispatchTrace trace;

    /**
     * Begins with nothing to do.
     *
     * @param queue  the strategy that keeps the timers, empty; owned by this object from now on
     * @param shared whether several threads wait at once
     * @param wakeUp ends a wait, no matter which
     * @param failed takes the handler of a timer or a signal, and what it has thrown; must not throw
     */
    public PendingWork(TimerQueue queue, boolean shared, Runnable wakeUp, BiConsumer<Object, Throwable> failed) {
        this.shared = shared;
        this.wakeUp = wakeUp;
        this.failed = failed;
        this.timers = new Timers(queue, shared);
        this.tasks = new TaskQueue(shared);
        this.signals = new Signals(this::arrived, failed);
    }

    /**
     * Has the calls of hooks recorded.
     *
     * @param recording records them; null for none
     */
    public void recordTo(DispatchTrace recording) {
        trace = recording;
        tasks.recordTo(recording);
        signals.recordTo(recording);
    }

    // Added by any thread; timers, if one thread waits, only by that thread

    /**
     * Has a task run.
     *
     * @param task the task
     * @return whether it will be run; false after the end
     * @throws RuntimeException if no thread can be woken up for it; it is not run
     */
    public boolean execute(Runnable task) {
        if (ended) {
            // Without a place in the queue, which nobody would ever give back.
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
     * Removes a cancelled timer.
     *
     * @param timer the timer
     */
    public void remove(Timer timer) {
        timers.remove(timer);
    }

    /**
     * Has a handler called for a signal.
     *
     * @param signal  the signal
     * @param handler the handler
     * @return false after the end
     */
    public boolean add(OsSignal signal, SignalHandler handler) {
        return signals.add(signal, handler);
    }

    /**
     * Undoes {@link #add(OsSignal, SignalHandler)}.
     *
     * @param signal  the signal
     * @param handler the handler
     */
    public void remove(OsSignal signal, SignalHandler handler) {
        signals.remove(signal, handler);
    }

    private void arrived(Signals.Arrival signal) {
        if (!ended) {
            tasks.add(signal);
            wakeOneOrLog();
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
     * Bounds the wait that the caller has begun by the earliest timer.
     *
     * @param most the longest it would wait in nanoseconds, {@link TimerQueue#NEVER} if it would wait forever
     * @return how long it may wait: at most the given time
     */
    public long bound(long most) {
        return timers.bound(most);
    }

    /** {@return how many threads wait, or are about to} A snapshot. */
    public int waiting() {
        return waiting.get();
    }

    /** Ends a wait, if a thread may be in one. */
    public void wakeOne() {
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

    /** Ends a wait, where no caller could be told by an exception. */
    private void wakeOneOrLog() {
        try {
            wakeOne();
        } catch (RuntimeException e) {
            LOG.warn("cannot wake a thread for a timer or signal; it is delayed until the next event", e);
        }
    }

    /** Before the caller turns to a hook or leaves: has another thread woken up for what would wait for the caller. */
    public void handOver() {
        if (waiting.get() > 0 && isUnattended()) {
            wakeOneOrLog();
        }
    }

    /** {@return whether there is something to do that no thread attends to, or will when it returns from its wait} */
    public boolean isUnattended() {
        return timers.isUnattended() || !tasks.isEmpty() && taskRunner.get() == null;
    }

    // Taken by an event loop

    /**
     * Takes out a timer that is due; the caller fires it and {@linkplain #repeat repeats} it.
     *
     * @param now on the scale of {@link System#nanoTime()}
     * @return the timer, null if none is due
     */
    public Timer pollDue(long now) {
        return timers.poll(now);
    }

    /** {@return whether there are timers} */
    public boolean hasTimers() {
        return !timers.isEmpty();
    }

    /**
     * Calls the handler of a timer that has been taken out, unless it has been cancelled.
     *
     * @param timer the timer
     * @return whether the handler was called
     */
    public boolean fire(Timer timer) {
        try {
            return trace == null ? timer.fire() : fireTraced(timer);
        } catch (Throwable e) {
            failed.accept(timer.handler(), e);
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

    /**
     * Puts back a timer that has fired, if it is a periodic one. No thread is woken up for it: the caller is about to
     * look at the timers again.
     *
     * @param timer the timer
     * @param now   on the scale of {@link System#nanoTime()}
     */
    public void repeat(Timer timer, long now) {
        timers.repeat(timer, now);
    }

    /** {@return whether there are tasks that the calling thread would run} */
    public boolean hasTasks() {
        if (tasks.isEmpty()) {
            return false;
        }
        Thread runner = taskRunner.get();
        return runner == null || runner == Thread.currentThread();
    }

    /**
     * Runs the tasks that are there, unless another thread is doing so. That thread looks at the queue once more when
     * it is done, before it waits or leaves, so no task that was added meanwhile is left behind. It stops after a task
     * that has waited in the loop, since others may run tasks by then.
     *
     * @param beforeHooks called before the first of them
     * @return how many were run
     */
    public int runTasks(Runnable beforeHooks) {
        if (tasks.isEmpty()) {
            return 0;
        }
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

    /**
     * The caller, perhaps in a task or a signal handler, is about to wait, and whoever adds another task would count on
     * its thread to run that. Called before the wait looks for tasks.
     */
    public void leaveTasksToOthers() {
        if (runsTasks.getAsBoolean()) {
            taskRunner.set(null);
        }
    }

    // Taken by a pool, whose threads run any number of tasks at once

    /** {@return how many tasks and signals have been added so far} */
    public long added() {
        return tasks.added();
    }

    /**
     * Takes the next task, signal or timer.
     *
     * @param lastTask takes no task or signal beyond so many, so that tasks that add tasks hold nobody up
     * @param now      takes no timer that was due later, on the scale of {@link System#nanoTime()}
     * @return calls its hook; null if there is none
     */
    public Runnable poll(long lastTask, long now) {
        Runnable task = tasks.poll(lastTask);
        if (task != null) {
            return () -> tasks.run(task);
        }
        Timer due = ended ? null : timers.poll(now);
        return due == null ? null : () -> fireAndRepeat(due);
    }

    private void fireAndRepeat(Timer timer) {
        try {
            fire(timer);
        } finally {
            if (!ended && timers.repeat(timer, System.nanoTime())) {
                wakeOneOrLog();
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
     * stack, the next call goes on.
     */
    public void end() {
        signals.end();
        ended = true;
        while (!tasks.isEmpty()) {
            tasks.run();
        }
    }
}
