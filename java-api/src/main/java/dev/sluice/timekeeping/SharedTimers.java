package dev.sluice.timekeeping;

import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;

/**
 * Timers of threads that wait together. One of the waiting threads, the timekeeper, waits only until the earliest
 * expiry; the others need not know of it. Any thread that finds timers due fires them, outside of the lock.
 */
public final class SharedTimers {

    private final Object lock = new Object();
    private final TimerQueue timers;

    // Changed under the lock
    private long keptDeadline;
    private volatile Thread timekeeper;
    /** No timer is due before this, on the scale of {@link System#nanoTime()}; meaningless if there is no timer. */
    private volatile long earliest;
    private volatile boolean empty = true;
    private volatile boolean unattended;

    /**
     * Makes them.
     *
     * @param timers the strategy that keeps them, empty; owned by this object from now on
     */
    public SharedTimers(TimerQueue timers) {
        this.timers = timers;
    }

    /** {@return whether there is none} */
    public boolean isEmpty() {
        return empty;
    }

    /** {@return whether there is a timer that no waiting thread will wake up for} */
    public boolean isUnattended() {
        return unattended;
    }

    /**
     * Adds a timer, unless it is cancelled in the meantime.
     *
     * @param timer in no queue
     * @return whether a waiting thread must look at the timers again
     */
    public boolean add(Timer timer) {
        synchronized (lock) {
            if (timer.isPending()) {
                addLocked(timer);
            }
            return unattended;
        }
    }

    private void addLocked(Timer timer) {
        timers.add(timer);
        if (empty || timer.deadline() - earliest < 0) {
            earliest = timer.deadline();
            if (timekeeper != null && earliest - keptDeadline < 0) {
                timekeeper = null;
            }
        }
        changed();
    }

    private void changed() {
        empty = timers.isEmpty();
        unattended = !empty && timekeeper == null;
    }

    /**
     * Removes a cancelled timer.
     *
     * @param timer which
     */
    public void remove(Timer timer) {
        synchronized (lock) {
            timers.remove(timer);
            changed();
        }
    }

    /**
     * Bounds the wait that the calling thread is about to begin, and after which it must call {@link #endWait()}.
     *
     * @param most the longest it would wait in nanoseconds, {@link TimerQueue#NEVER} if it would wait forever
     * @return how long it may wait: at most the given time
     */
    public long bound(long most) {
        if (!unattended) {
            return most;
        }
        synchronized (lock) {
            if (!unattended) {
                return most;
            }
            long now = System.nanoTime();
            long left = timers.earliest(now);
            earliest = now + left;
            keptDeadline = earliest;
            timekeeper = Thread.currentThread();
            changed();
            return Math.min(most, left);
        }
    }

    /** The calling thread is no longer waiting. */
    public void endWait() {
        if (timekeeper == Thread.currentThread()) {
            synchronized (lock) {
                // Unless an earlier timer has dismissed this thread as timekeeper and another one has taken over.
                if (timekeeper == Thread.currentThread()) {
                    timekeeper = null;
                    changed();
                }
            }
        }
    }

    /**
     * Takes out a timer that is due.
     *
     * @param now on the scale of {@link System#nanoTime()}
     * @return the timer, null if none is due
     */
    public Timer poll(long now) {
        // Usually nothing is due, and finding that out takes no lock.
        if (empty || now - earliest < 0) {
            return null;
        }
        synchronized (lock) {
            Timer timer = timers.poll(now);
            if (timer == null && !timers.isEmpty()) {
                earliest = now + timers.earliest(now);
            }
            changed();
            return timer;
        }
    }

    /**
     * Puts back a timer that has fired, if it is a periodic one.
     *
     * @param timer which
     * @param now   on the scale of {@link System#nanoTime()}
     * @return whether a waiting thread must look at the timers again
     */
    public boolean repeat(Timer timer, long now) {
        synchronized (lock) {
            if (timer.repeat(now)) {
                addLocked(timer);
            }
            return unattended;
        }
    }
}
