package dev.sluice.eventloop;

import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;

/**
 * Timers of a loop that several threads run. One of the waiting threads, the timekeeper, waits only until the earliest
 * expiry; the others need not know of it. Any thread that finds timers due fires them, outside of the lock.
 */
final class SharedTimers {

    private final Object lock = new Object();
    private final TimerQueue timers;

    // Changed under the lock
    private long keptDeadline;
    private volatile Thread timekeeper;
    /** No timer is due before this, on the scale of {@link System#nanoTime()}; meaningless if there is no timer. */
    private volatile long earliest;
    private volatile boolean empty = true;
    private volatile boolean unattended;

    SharedTimers(TimerQueue timers) {
        this.timers = timers;
    }

    boolean isEmpty() {
        return empty;
    }

    /** {@return whether there is a timer that no waiting thread will wake up for} */
    boolean isUnattended() {
        return unattended;
    }

    /**
     * Adds a timer, unless it is cancelled in the meantime.
     *
     * @return whether a waiting thread must look at the timers again
     */
    boolean add(Timer timer) {
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

    /** Removes a cancelled timer. */
    void remove(Timer timer) {
        synchronized (lock) {
            timers.remove(timer);
            changed();
        }
    }

    /** {@return how long the calling thread, which is about to wait, may wait: at most the given time} */
    long bound(long most) {
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
    void endWait() {
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

    /** {@return a timer that is due, after removing it; null if none is} */
    Timer poll(long now) {
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

    /** Puts back a periodic timer that has fired. */
    void repeat(Timer timer, long now) {
        synchronized (lock) {
            if (timer.repeat(now)) {
                addLocked(timer);
            }
        }
    }
}
