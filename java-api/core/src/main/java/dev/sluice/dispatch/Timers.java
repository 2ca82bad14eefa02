package dev.sluice.dispatch;

import dev.sluice.deadline.Timeout;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * The timers of one or more waiting threads. One of several waiting threads, the timekeeper, waits only until the
 * earliest expiry; the others need no timeout. Any thread that finds timers due calls their handlers, without the lock.
 */
public final class Timers {

    /** The lock of the queue and the fields below; null if one thread at a time uses this object. */
    private final ReentrantLock guard;
    private final TimerQueue queue;
    private final LongSupplier clock;
    private final BiConsumer<Object, Throwable> failed;
    private volatile DispatchTrace trace;

    private long keptDeadline;
    private volatile Thread timekeeper;
    /** The value of the clock before which no timer is due; unspecified if there is no timer. */
    private volatile long earliest;
    // Read by each iteration of a loop

    /** Whether there is no timer. */
    volatile boolean empty = true;
    /** Whether there is a timer that no waiting thread will wake up for. */
    volatile boolean unattended;

    /**
     * Creates an object without timers.
     *
     * @param queue  the timer strategy, empty; owned by this object from now on
     * @param clock  the clock of the timers, in nanoseconds
     * @param shared whether several threads use this object concurrently
     * @param failed receives a handler and its exception; must not throw
     */
    Timers(TimerQueue queue, LongSupplier clock, boolean shared, BiConsumer<Object, Throwable> failed) {
        this.queue = queue;
        this.clock = clock;
        this.failed = failed;
        this.guard = shared ? new ReentrantLock() : null;
        // Tells the queue the start time, from which it may count.
        queue.poll(now());
    }

    long now() {
        return clock.getAsLong();
    }

    /**
     * Converts a period.
     *
     * @return the period in nanoseconds
     * @throws IllegalArgumentException if it is not positive
     */
    public static long period(Duration period) {
        long nanos = Timeout.nanos("period", period);
        if (nanos == 0) {
            throw new IllegalArgumentException("period: " + period);
        }
        return nanos;
    }

    /** {@return the number of timers} */
    int size() {
        lock();
        try {
            return queue.size();
        } finally {
            unlock();
        }
    }

    private void lock() {
        if (guard != null) {
            guard.lock();
        }
    }

    private void unlock() {
        if (guard != null) {
            guard.unlock();
        }
    }

    /** Records the calls of hooks from now on. */
    void recordTo(DispatchTrace recording) {
        trace = recording;
    }

    /**
     * Adds a timer, unless it is cancelled in the meantime.
     *
     * @param timer the timer, not in a queue unless it has been started since it was scheduled
     * @return whether a waiting thread must check the timers again
     */
    boolean add(Timer timer) {
        lock();
        try {
            if (timer.isPending()) {
                // A timer of another thread may have been started before the loop thread executes this.
                queue.remove(timer);
                addLocked(timer);
            }
            return unattended;
        } finally {
            unlock();
        }
    }

    /**
     * Starts a timer, or restarts it if it is pending.
     *
     * @param timer    a timer that expires once
     * @param deadline the deadline, as a value of the clock
     * @return whether a waiting thread must check the timers again
     */
    boolean start(Timer timer, long deadline) {
        lock();
        try {
            queue.remove(timer);
            timer.restart(deadline);
            boolean added = false;
            try {
                addLocked(timer);
                added = true;
            } finally {
                if (!added) {
                    // For lack of memory. The timer will not expire.
                    timer.claim();
                }
            }
            return unattended;
        } finally {
            unlock();
        }
    }

    private void addLocked(Timer timer) {
        queue.add(timer);
        if (empty || timer.deadline() - earliest < 0) {
            earliest = timer.deadline();
            if (timekeeper != null && earliest - keptDeadline < 0) {
                timekeeper = null;
            }
        }
        changed();
    }

    private void changed() {
        // Written only if changed, because a volatile write costs a fence.
        boolean nowEmpty = queue.isEmpty();
        if (empty != nowEmpty) {
            empty = nowEmpty;
        }
        boolean nowUnattended = !nowEmpty && timekeeper == null;
        if (unattended != nowUnattended) {
            unattended = nowUnattended;
        }
    }

    /**
     * Removes a cancelled timer, unless it has been started again since.
     *
     * @param timer the timer
     */
    void remove(Timer timer) {
        lock();
        try {
            if (!timer.isPending()) {
                queue.remove(timer);
                changed();
            }
        } finally {
            unlock();
        }
    }

    /**
     * Limits the wait that the calling thread is about to begin, after which it must call {@link #endWait()}. Has no
     * effect unless there is an {@link #unattended} timer.
     *
     * @param maxNanos the caller's timeout in nanoseconds, {@link TimerQueue#NEVER} if unbounded
     * @return the maximum time to wait in nanoseconds, at most the given time
     */
    long bound(long maxNanos) {
        if (guard == null) {
            // The only waiting thread is always the timekeeper.
            return Math.min(maxNanos, queue.earliest(now()));
        }
        guard.lock();
        try {
            return unattended ? Math.min(maxNanos, keepTime()) : maxNanos;
        } finally {
            guard.unlock();
        }
    }

    private long keepTime() {
        long now = now();
        long left = queue.earliest(now);
        earliest = now + left;
        keptDeadline = earliest;
        timekeeper = Thread.currentThread();
        changed();
        return left;
    }

    /** Called when the calling thread is no longer waiting. */
    void endWait() {
        if (timekeeper == Thread.currentThread()) {
            guard.lock();
            try {
                // Checked again under the lock, because another thread may have become the timekeeper for an earlier
                // timer.
                if (timekeeper == Thread.currentThread()) {
                    timekeeper = null;
                    changed();
                }
            } finally {
                guard.unlock();
            }
        }
    }

    /** {@return false if no timer is due by then} */
    boolean mayBeDue(long now) {
        return !empty && now - earliest >= 0;
    }

    /**
     * Removes a timer that is due. It can no longer be cancelled; the caller must call its handler.
     *
     * @param now the current value of the clock
     * @return the timer; null if none is due
     */
    Timer poll(long now) {
        // Usually no timer is due, which is detected without the lock.
        if (!mayBeDue(now)) {
            return null;
        }
        lock();
        try {
            Timer timer = queue.poll(now);
            while (timer != null && !timer.claim()) {
                timer = queue.poll(now);
            }
            if (timer == null && !queue.isEmpty()) {
                earliest = now + queue.earliest(now);
            }
            changed();
            return timer;
        } finally {
            unlock();
        }
    }

    /** Calls the handler of a timer that has been removed by {@link #poll}. */
    void fire(Timer timer) {
        DispatchTrace recording = trace;
        try {
            if (recording == null) {
                timer.fire();
            } else {
                fireTraced(timer, recording);
            }
        } catch (Throwable e) {
            failed.accept(timer.handler(), e);
        }
    }

    private static void fireTraced(Timer timer, DispatchTrace recording) throws Exception {
        recording.begin("handleTimeout", timer.handler(), timer.token());
        try {
            timer.fire();
        } finally {
            recording.end();
        }
    }

    /**
     * Adds a timer again after its expiry, if it is periodic.
     *
     * @param timer the timer
     * @param now   the current value of the clock
     * @return whether a waiting thread must check the timers again
     */
    boolean repeat(Timer timer, long now) {
        lock();
        try {
            if (timer.repeat(now)) {
                addLocked(timer);
            }
            return unattended;
        } finally {
            unlock();
        }
    }
}
