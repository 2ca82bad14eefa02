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
 * The timers that the waits of one or more threads attend to. One of several waiting threads, the timekeeper, waits
 * only until the earliest expiry; the others need not know of it. Any thread that finds timers due fires them, outside
 * of the lock.
 */
public final class Timers {

    /** Protects the queue and what is known of it; null if only one thread at a time uses this. */
    private final ReentrantLock guard;
    private final TimerQueue queue;
    private final LongSupplier clock;
    private final BiConsumer<Object, Throwable> failed;
    private volatile DispatchTrace trace;

    private long keptDeadline;
    private volatile Thread timekeeper;
    /** No timer is due before this, on the scale of the clock; meaningless if there is no timer. */
    private volatile long earliest;
    // Read by each iteration of a loop

    /** Whether there is no timer. */
    volatile boolean empty = true;
    /** Whether there is a timer that no waiting thread will wake up for. */
    volatile boolean unattended;

    /**
     * Makes them.
     *
     * @param queue  the strategy that keeps them, empty; owned by this object from now on
     * @param clock  the nanoseconds by which they expire
     * @param shared whether several threads use them at once
     * @param failed takes a handler and what it has thrown; must not throw
     */
    Timers(TimerQueue queue, LongSupplier clock, boolean shared, BiConsumer<Object, Throwable> failed) {
        this.queue = queue;
        this.clock = clock;
        this.failed = failed;
        this.guard = shared ? new ReentrantLock() : null;
        // From which a queue may count.
        queue.poll(now());
    }

    long now() {
        return clock.getAsLong();
    }

    /**
     * Checks a period.
     *
     * @return the nanoseconds
     * @throws IllegalArgumentException if it is not positive
     */
    public static long period(Duration period) {
        long nanos = Timeout.nanos("period", period);
        if (nanos == 0) {
            throw new IllegalArgumentException("period: " + period);
        }
        return nanos;
    }

    /** {@return how many there are} */
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
     * @param timer in no queue, unless it has been started since it was scheduled
     * @return whether a waiting thread must look at the timers again
     */
    boolean add(Timer timer) {
        lock();
        try {
            if (timer.isPending()) {
                // What another thread has scheduled may have been started before the loop thread gets here.
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
     * @param timer    fires once
     * @param deadline on the scale of the clock
     * @return whether a waiting thread must look at the timers again
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
                    // For lack of memory: it will not fire.
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
        // Written only when they change, since a volatile write costs a fence.
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
     * Bounds the wait that the calling thread is about to begin, and after which it must call {@link #endWait()}.
     * Unless there is an {@link #unattended} timer, that changes nothing.
     *
     * @param most the longest it would wait in nanoseconds, {@link TimerQueue#NEVER} if it would wait forever
     * @return how long it may wait: at most the given time
     */
    long bound(long most) {
        if (guard == null) {
            // The only thread that waits keeps the time in any case.
            return Math.min(most, queue.earliest(now()));
        }
        guard.lock();
        try {
            return unattended ? Math.min(most, keepTime()) : most;
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

    /** The calling thread is no longer waiting. */
    void endWait() {
        if (timekeeper == Thread.currentThread()) {
            guard.lock();
            try {
                // Unless an earlier timer has dismissed this thread as timekeeper and another one has taken over.
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
     * Takes out a timer that is due. It can no longer be cancelled: its handler is to be called.
     *
     * @param now on the scale of the clock
     * @return the timer, null if none is due
     */
    Timer poll(long now) {
        // Usually nothing is due, and finding that out takes no lock.
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

    /** Calls the handler of a timer that has been taken out. */
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
     * Puts back a timer that has fired, if it is a periodic one.
     *
     * @param timer the timer
     * @param now   on the scale of the clock
     * @return whether a waiting thread must look at the timers again
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
