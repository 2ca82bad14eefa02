package dev.sluice.timer;

import dev.sluice.deadline.Timeout;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A scheduled timer; the paper's timer_id. Whether one that fires once still fires is decided atomically: if it was
 * cancelled in time it never fires, and while it is firing it can no longer be cancelled. A periodic one can be
 * cancelled at any time; an expiry that has been decided by then is the last one.
 */
public class Timer {

    /** The period of a timer that fires once. */
    public static final long ONCE = 0;

    private static final int IDLE = 0;
    private static final int PENDING = 1;

    private static final AtomicIntegerFieldUpdater<Timer> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Timer.class, "state");

    private final TimeoutHandler handler;
    private final @Nullable Object token;
    private final long period;
    private long deadline;
    private volatile int state = PENDING;

    // Links of the queue that holds it, so that removing it needs no search. Used only by the queue's thread.
    @Nullable TimerQueue holder;
    @Nullable Timer previous;
    @Nullable Timer next;
    int index = -1;
    long tick;

    /**
     * Creates a timer that is in no queue yet.
     *
     * @param handler  called at each expiry
     * @param token    handed to it; may be null
     * @param deadline the first expiry, on the scale of its loop's clock
     * @param period   nanoseconds between expiries, {@link #ONCE} for a single one
     * @throws IllegalArgumentException if the period is negative
     */
    public Timer(TimeoutHandler handler, @Nullable Object token, long deadline, long period) {
        if (period < 0) {
            throw new IllegalArgumentException("period: " + period);
        }
        this.handler = Objects.requireNonNull(handler, "handler");
        this.token = token;
        this.deadline = deadline;
        this.period = period;
    }

    /**
     * Creates a timer that is not pending, and fires once after each start.
     *
     * @param handler called at each expiry
     * @param token   handed to it; may be null
     */
    protected Timer(TimeoutHandler handler, @Nullable Object token) {
        this(handler, token, 0, ONCE);
        state = IDLE;
    }

    /** {@return the next expiry, on the scale of its loop's clock; only for the queue's thread} */
    public final long deadline() {
        return deadline;
    }

    /** {@return what it calls} */
    public final TimeoutHandler handler() {
        return handler;
    }

    /** {@return what the timer was scheduled with; may be null} */
    public final @Nullable Object token() {
        return token;
    }

    /** {@return whether it will fire, unless it is cancelled} */
    public final boolean isPending() {
        return state == PENDING;
    }

    /**
     * Starts the timer, or restarts it if it is pending: it fires after the delay and not at an earlier time. Allocates
     * nothing. For the loop thread; on a loop that many threads run for any thread, and then the hook for an earlier
     * start may still be running when this one expires.
     *
     * @param delay from now; longer than 100 years counts as 100 years
     * @throws IllegalArgumentException if the delay is negative
     * @throws IllegalStateException    if it is periodic, belongs to no loop or to one that is closed, or the caller is
     *                                  not the loop thread
     */
    public final void start(Duration delay) {
        long nanos = Timeout.nanos("delay", delay);
        if (period != ONCE) {
            throw new IllegalStateException("start: the timer is periodic; schedule another one");
        }
        startIn(nanos);
    }

    /**
     * Cancels the timer. If this returns true, it does not fire until it is started again; a hook of a periodic one
     * that another thread is about to call is still called. May be called from any thread.
     *
     * @return whether this call cancelled it; false if it was cancelled before, or has fired and will not fire again
     */
    public final boolean cancel() {
        boolean cancelled = STATE.compareAndSet(this, PENDING, IDLE);
        if (cancelled) {
            cancelled();
        }
        return cancelled;
    }

    /** Lets the loop {@linkplain #restart restart} it. */
    protected void startIn(long delayNanos) {
        throw new IllegalStateException("start: the timer belongs to no event loop");
    }

    /**
     * It has just been cancelled: has the loop remove it from the queue. Unless overridden it stays there until the
     * queue hands it out.
     */
    protected void cancelled() {
        // Whatever takes it from the queue finds that it is no longer pending.
    }

    // For loops, while the timer is in no queue

    /**
     * Makes it pending.
     *
     * @param newDeadline on the scale of its loop's clock
     * @hidden
     */
    public final void restart(long newDeadline) {
        deadline = newDeadline;
        state = PENDING;
    }

    /**
     * Decides that it expires now, unless it has been cancelled. Called when the queue has handed it out.
     *
     * @return whether {@link #fire()} is to be called
     * @hidden
     */
    public final boolean claim() {
        return period == ONCE ? STATE.compareAndSet(this, PENDING, IDLE) : isPending();
    }

    /**
     * Calls the handler. Called after a {@link #claim()}.
     *
     * @throws Exception what the handler threw
     * @hidden
     */
    public final void fire() throws Exception {
        handler.handleTimeout(token);
    }

    /**
     * Sets the deadline of a periodic timer to its next expiry after now; missed expiries are skipped.
     *
     * @param now on the scale of its loop's clock
     * @return whether it has one: false for a timer that fires once, or was cancelled
     * @hidden
     */
    public final boolean repeat(long now) {
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
     * @return the first of those that are left, null if there are none
     */
    final @Nullable Timer unlink(@Nullable Timer first) {
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
