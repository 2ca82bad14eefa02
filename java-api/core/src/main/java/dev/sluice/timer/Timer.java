package dev.sluice.timer;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A scheduled timer; the paper's timer_id. Any thread may cancel it. Whether one that fires once still fires is decided
 * atomically: if it was cancelled in time it never fires, and while it is firing it can no longer be cancelled. A
 * periodic one can be cancelled at any time; an expiry that has been decided by then is the last one.
 */
public final class Timer {

    /** The period of a timer that fires once. */
    public static final long ONCE = 0;

    private static final int PENDING = 0;
    private static final int CANCELLED = 1;
    private static final int FIRED = 2;

    private static final AtomicIntegerFieldUpdater<Timer> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Timer.class, "state");

    private final TimeoutHandler handler;
    private final Object token;
    private final long period;
    private long deadline;
    private volatile int state = PENDING;

    // Links of the queue that holds it, so that removing it needs no search. Used only by the queue's thread.
    TimerQueue holder;
    Timer previous;
    Timer next;
    int index = -1;
    long tick;

    /**
     * Makes a timer that is in no queue yet.
     *
     * @param handler  called at each expiry
     * @param token    handed to it, and returned by cancelling the timer; may be null
     * @param deadline the first expiry, on the scale of {@link System#nanoTime()}
     * @param period   nanoseconds between expiries, {@link #ONCE} for a single one
     * @throws IllegalArgumentException if the period is negative
     */
    public Timer(TimeoutHandler handler, Object token, long deadline, long period) {
        if (period < 0) {
            throw new IllegalArgumentException("period: " + period);
        }
        this.handler = Objects.requireNonNull(handler, "handler");
        this.token = token;
        this.deadline = deadline;
        this.period = period;
    }

    /** {@return the next expiry, on the scale of {@link System#nanoTime()}; only for the queue's thread} */
    public long deadline() {
        return deadline;
    }

    /** {@return what it calls} */
    public TimeoutHandler handler() {
        return handler;
    }

    /** {@return what the timer was scheduled with} */
    public Object token() {
        return token;
    }

    /** {@return whether it will fire, unless it is cancelled} */
    public boolean isPending() {
        return state == PENDING;
    }

    /**
     * Keeps the timer from firing again; any thread may call this. The timer stays in its queue, which drops it on
     * finding it cancelled.
     *
     * @return whether this call cancelled it; false if it was cancelled before, or has fired and will not fire again
     */
    public boolean cancel() {
        return STATE.compareAndSet(this, PENDING, CANCELLED);
    }

    /**
     * Calls the handler, unless the timer has been cancelled. Called on the queue's thread, after the queue has handed
     * the timer out.
     *
     * @return whether the handler was called
     * @throws Exception what the handler threw
     */
    public boolean fire() throws Exception {
        boolean fires = period == ONCE ? STATE.compareAndSet(this, PENDING, FIRED) : isPending();
        if (fires) {
            handler.handleTimeout(token);
        }
        return fires;
    }

    /**
     * Sets the deadline of a periodic timer to its next expiry after now; missed expiries are skipped.
     *
     * @param now on the scale of {@link System#nanoTime()}
     * @return whether it has one: false for a timer that fires once, or was cancelled
     */
    public boolean repeat(long now) {
        if (period == ONCE || !isPending()) {
            return false;
        }
        long missed = Math.max(now - deadline, 0) / period;
        deadline += (missed + 1) * period;
        return true;
    }

    /**
     * Leaves the list that it is in.
     *
     * @param first of the list
     * @return the first of those that are left
     */
    Timer unlink(Timer first) {
        Timer newFirst = first == this ? next : first;
        if (next != null) {
            next.previous = previous;
        }
        if (previous != null) {
            previous.next = next;
        }
        previous = null;
        next = null;
        return newFirst;
    }
}
