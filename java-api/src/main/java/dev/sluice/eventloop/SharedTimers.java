package dev.sluice.eventloop;

import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;

/**
 * Timers of a loop that several threads run. One of those that wait, the timekeeper, does so no longer than until the
 * earliest expiry; the others need not know of it. Timers are fired outside of the lock, by whoever comes upon them.
 */
final class SharedTimers extends TimerDispatch {

    private final Occupancy occupancy;
    private final Object lock = new Object();
    private final TimerQueue timers;

    // Changed under the lock
    private long keptDeadline;
    private volatile Thread timekeeper;
    /** No timer is due before, on the scale of {@link System#nanoTime()}; of no meaning if there is none. */
    private volatile long earliest;
    private volatile boolean empty = true;
    private volatile boolean unattended;

    SharedTimers(EventLoop loop, Occupancy occupancy, TimerQueue timers) {
        super(loop);
        this.occupancy = occupancy;
        this.timers = timers;
    }

    @Override
    void add(Timer timer) {
        boolean needed;
        synchronized (lock) {
            if (timer.isPending()) {
                addLocked(timer);
            }
            needed = unattended;
        }
        if (needed) {
            occupancy.wakeAWaiter();
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

    @Override
    void remove(Timer timer) {
        synchronized (lock) {
            timers.remove(timer);
            changed();
        }
    }

    @Override
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

    @Override
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

    @Override
    boolean isUnattended() {
        return unattended;
    }

    @Override
    int expire() {
        if (empty) {
            return 0;
        }
        int count = 0;
        long now = System.nanoTime();
        if (now - earliest < 0) {
            return 0;
        }
        for (Timer timer = poll(now); timer != null; timer = poll(now)) {
            occupancy.handOver();
            if (fire(timer)) {
                count++;
            }
            repeat(timer, now);
        }
        return count;
    }

    private Timer poll(long now) {
        synchronized (lock) {
            Timer timer = timers.poll(now);
            if (timer == null && !timers.isEmpty()) {
                earliest = now + timers.earliest(now);
            }
            changed();
            return timer;
        }
    }

    private void repeat(Timer timer, long now) {
        synchronized (lock) {
            if (timer.repeat(now)) {
                // Nobody is woken up for it: this thread is about to look again.
                addLocked(timer);
            }
        }
    }
}
