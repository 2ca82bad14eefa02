package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Timeout;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.SignalHandler;
import dev.sluice.timekeeping.SharedTimers;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What ends a wait on a handle set besides its handles, with no thread of its own. A wait lasts until the earliest
 * expiry at most, and a signal or a task wakes the thread that waits. Where many wait at once, one of them is the
 * timekeeper; before a thread turns to a hook or leaves, it wakes another one up if there is something that none
 * attends to.
 *
 * <p>No lock but that of the timers, and that one only while there are some.
 */
final class TimersSignalsAndTasks {

    private static final Logger LOG = LoggerFactory.getLogger(TimersSignalsAndTasks.class);

    private static final String CLOSED = "the handle set is closed";

    private final Runnable wakeUp;
    private final SharedTimers timers;
    private final SignalSubscriptions signals = new SignalSubscriptions(this::arrived);
    private final PendingTasks tasks = new PendingTasks();
    /** Signals that have arrived. */
    private final Queue<PendingEvent> arrivals = new ConcurrentLinkedQueue<>();
    private final List<Wait> waits = new CopyOnWriteArrayList<>();
    /** Whether a wait is about to end; its thread will see everything that has been added by then. */
    private final AtomicBoolean waking = new AtomicBoolean();
    private final Consumer<Timer> repetition = this::repeat;
    private volatile boolean closed;
    private volatile DispatchTrace trace;

    /**
     * Makes a set without timers, signals and tasks.
     *
     * @param timers keeps the timers; empty
     * @param wakeUp ends a wait on the handle set, no matter which
     */
    TimersSignalsAndTasks(TimerQueue timers, Runnable wakeUp) {
        this.timers = new SharedTimers(timers);
        this.wakeUp = wakeUp;
    }

    /** Has the calls of hooks recorded. */
    void recordTo(DispatchTrace recording) {
        trace = recording;
        signals.recordTo(recording);
        tasks.recordTo(recording);
    }

    // For any thread

    Timer schedule(TimeoutHandler handler, Object token, Duration delay) {
        return add(handler, token, delay, Timer.ONCE);
    }

    Timer schedule(TimeoutHandler handler, Object token, Duration delay, Duration period) {
        long nanos = Timeout.nanos("period", period);
        if (nanos == 0) {
            throw new IllegalArgumentException("period: " + period);
        }
        return add(handler, token, delay, nanos);
    }

    private Timer add(TimeoutHandler handler, Object token, Duration delay, long period) {
        Timer timer = new Timer(handler, token, System.nanoTime() + Timeout.nanos("delay", delay), period);
        requireOpen();
        if (timers.add(timer)) {
            wakeOne();
        }
        return timer;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(CLOSED);
        }
    }

    Object cancel(Timer timer) {
        if (!timer.cancel()) {
            return null;
        }
        timers.remove(timer);
        return timer.token();
    }

    private void repeat(Timer timer) {
        if (!closed && timers.repeat(timer, System.nanoTime())) {
            wakeOneOrTell();
        }
    }

    void add(OsSignal signal, SignalHandler handler) {
        if (!signals.add(signal, handler)) {
            requireOpen();
        }
    }

    void remove(OsSignal signal, SignalHandler handler) {
        signals.remove(signal, handler);
    }

    void execute(Runnable work) {
        PendingTasks.Task task = tasks.add(work);
        try {
            wakeOne();
        } catch (RuntimeException | Error e) {
            // If no thread can be woken up, the task is refused, unless a thread that is awake has taken it.
            if (tasks.withdraw(task)) {
                throw e;
            }
        }
        if (tasks.hasEnded() && tasks.withdraw(task)) {
            throw new RejectedExecutionException(CLOSED);
        }
    }

    boolean isOpen() {
        return !closed;
    }

    private void arrived(PendingEvent signal) {
        arrivals.add(signal);
        wakeOneOrTell();
    }

    /** Called where nobody could be told by an exception. */
    private void wakeOneOrTell() {
        try {
            wakeOne();
        } catch (RuntimeException e) {
            LOG.warn("no thread can be woken for a timer or a signal, which waits for the next event", e);
        }
    }

    /** Ends a wait, if a thread may be in one. */
    private void wakeOne() {
        for (Wait wait : waits) {
            if (wait.inside) {
                wakeOnce();
                return;
            }
        }
    }

    private void wakeOnce() {
        // Not every system merges several wake-ups into one.
        if (waking.compareAndSet(false, true)) {
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

    /** Takes no more, runs the tasks, and forgets what else there is. */
    void close() {
        closed = true;
        signals.end();
        arrivals.clear();
        tasks.end();
    }

    /** The waits of one waiter. Used by the thread that uses the waiter. */
    final class Wait {

        /**
         * Whether a thread is about to wait or waits. It says so before it looks for something to do instead: a thread
         * that adds something either sees this, or what it adds is seen.
         */
        private volatile boolean inside;
        /** The time by which timers count as due until the next wait, so that no timer keeps all else waiting. */
        private long now = System.nanoTime();
        /** The last task that is run before the next wait, for the same reason. */
        private long lastTask;

        Wait() {
            waits.add(this);
        }

        /**
         * Must be followed by {@link #end()}.
         *
         * @param timeoutNanos how long to wait; negative means forever
         * @return the same or less
         */
        long begin(long timeoutNanos) {
            inside = true;
            if (!arrivals.isEmpty() || !tasks.isEmpty()) {
                return 0;
            }
            long wait = timers.bound(timeoutNanos < 0 ? TimerQueue.NEVER : timeoutNanos);
            return wait == TimerQueue.NEVER ? Timeout.FOREVER : wait;
        }

        void end() {
            inside = false;
            timers.endWait();
            if (waking.get()) {
                waking.set(false);
            }
            if (!timers.isEmpty()) {
                now = System.nanoTime();
            }
            lastTask = tasks.last();
        }

        /**
         * {@return a signal that has arrived, or a task that was there or a timer that was due after the last wait;
         * null if there is none}
         */
        PendingEvent next() {
            PendingEvent signal = arrivals.poll();
            if (signal != null) {
                return signal;
            }
            PendingEvent task = tasks.poll(lastTask);
            if (task != null) {
                return task;
            }
            Timer due = closed ? null : timers.poll(now);
            return due == null ? null : new ExpiredTimer(due, repetition, trace);
        }

        /** Has another waiting thread attend to what would otherwise wait for this one. */
        void handOver() {
            if (timers.isUnattended() || !arrivals.isEmpty() || !tasks.isEmpty()) {
                wakeOneOrTell();
            }
        }

        /** This waiter is no longer used. */
        void close() {
            waits.remove(this);
            handOver();
        }
    }
}
