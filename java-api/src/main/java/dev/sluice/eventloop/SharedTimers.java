package dev.sluice.eventloop;

import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;

/**
 * Timers of a loop that several threads run. One of those that wait, the timekeeper, does so no longer than until the
 * earliest expiry; the others need not know of it. Whoever comes upon timers that are due fires them, outside of the
 * lock.
 */
final class SharedTimers {

    private final Object lock = new Object();
    private final TimerQueue timers;

    // Changed under the lock
    private long keptDeadline;
    private volatile Thread timekeeper;
    /** No timer is due before, on the scale of {@link System#nanoTime()}; of no meaning if there is none. */
    private volatile long earliest;
    private volatile boolean empty = true;
    private volatile boolean unattended;

    SharedTimers(TimerQueue timers) {
        this.timers = timers;
    }

    boolean isEmpty() {
        return empty;
    }

    /** {@return whether there is a timer that no waiting thread keeps in mind} */
    boolean isUnattended() {
        return unattended;
    }

    /**
     * Adds one, unless it is cancelled meanwhile.
     *
     * @return whether a waiting thread has to look
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

    /** Takes a cancelled one out. */
    void remove(Timer timer) {
        synchronized (lock) {
            timers.remove(timer);
            changed();
        }
    }

    /** {@return how long the calling thread, which is about to wait, may do so: at most the time that it was given} */
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

    /** The calling thread waits no more. */
    void endWait() {
        if (timekeeper == Thread.currentThread()) {
            synchronized (lock) {
                // Unless an earlier timer has dismissed it, and another one has taken over.
                if (timekeeper == Thread.currentThread()) {
                    timekeeper = null;
                    changed();
                }
            }
        }
    }

    /** {@return one that is due, taken out; null if none is} */
    Timer poll(long now) {
        // Mostly nothing is due: that takes no lock.
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

    /** Puts a periodic one that has been fired back. */
    void repeat(Timer timer, long now) {
        synchronized (lock) {
            if (timer.repeat(now)) {
                addLocked(timer);
            }
        }
    }
}
