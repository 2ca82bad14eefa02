package dev.sluice.timer;

import dev.sluice.deadline.Timeout;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A scheduled timer; the paper's timer_id. Expiry and cancellation of a one-shot timer exclude each other atomically:
 * if it is cancelled in time it never expires, and after it has expired it can no longer be cancelled. A periodic timer
 * can be cancelled at any time; an expiry that has already begun is the last one.
 */
public class Timer {

    /** The period of a one-shot timer. */
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

    // Links of the queue that contains the timer, so that it can be removed without a search. Accessed only by the
    // queue's thread
    @Nullable TimerQueue holder;
    @Nullable Timer previous;
    @Nullable Timer next;
    int index = -1;
    long tick;

    /**
     * Creates a timer that is not in a queue yet.
     *
     * @param handler  called at each expiry
     * @param token    passed to the handler; may be null
     * @param deadline the first expiry, as a value of the loop's clock
     * @param period   the time between expiries in nanoseconds, {@link #ONCE} for a one-shot timer
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
     * Creates a timer that is not pending, and expires once after each start.
     *
     * @param handler called at each expiry
     * @param token   passed to the handler; may be null
     */
    protected Timer(TimeoutHandler handler, @Nullable Object token) {
        this(handler, token, 0, ONCE);
        state = IDLE;
    }

    /** {@return the next expiry, as a value of the loop's clock; only for the queue's thread} */
    public final long deadline() {
        return deadline;
    }

    /** {@return the handler} */
    public final TimeoutHandler handler() {
        return handler;
    }

    /** {@return the token that the timer was scheduled with; may be null} */
    public final @Nullable Object token() {
        return token;
    }

    /** {@return whether it will expire, unless it is cancelled} */
    public final boolean isPending() {
        return state == PENDING;
    }

    /**
     * Starts the timer, or restarts it if it is pending: it expires after the delay, and no longer at an earlier time.
     * Does not allocate. Called by the loop thread; on a multi-threaded loop by any thread, where the hook for an
     * earlier start may still be running when the timer expires again.
     *
     * @param delay the delay from now; more than 100 years counts as 100 years
     * @throws IllegalArgumentException if the delay is negative
     * @throws IllegalStateException    if it is periodic, does not belong to a loop, its loop is closed, or the caller
     *                                  is not the loop thread
     */
    public final void start(Duration delay) {
        long nanos = Timeout.nanos("delay", delay);
        if (period != ONCE) {
            throw new IllegalStateException("start: the timer is periodic; schedule another one");
        }
        startIn(nanos);
    }

    /**
     * Cancels the timer. If this returns true, it does not expire until it is started again, but a hook of a periodic
     * timer that another thread is about to call is still called. May be called from any thread.
     *
     * @return whether this call cancelled it; false if it was already cancelled, or has expired and will not expire
     *         again
     */
    public final boolean cancel() {
        boolean cancelled = STATE.compareAndSet(this, PENDING, IDLE);
        if (cancelled) {
            cancelled();
        }
        return cancelled;
    }

    /** Starts the timer in its loop, which {@linkplain #restart restarts} it. */
    protected void startIn(long delayNanos) {
        throw new IllegalStateException("start: the timer belongs to no event loop");
    }

    /**
     * Called when the timer has been cancelled, to remove it from the queue. By default it stays in the queue until
     * {@link TimerQueue#poll} returns it.
     */
    protected void cancelled() {
        // The loop detects that it is no longer pending when the queue returns it.
    }

    // For loops, while the timer is not in a queue

    /**
     * Makes the timer pending.
     *
     * @param newDeadline the next expiry, as a value of the loop's clock
     * @hidden
     */
    public final void restart(long newDeadline) {
        deadline = newDeadline;
        state = PENDING;
    }

    /**
     * Makes the timer expire, unless it has been cancelled. Called when the queue has returned it.
     *
     * @return whether the caller must call {@link #fire()}
     * @hidden
     */
    public final boolean claim() {
        return period == ONCE ? STATE.compareAndSet(this, PENDING, IDLE) : isPending();
    }

    /**
     * Calls the handler. Called after a {@link #claim()}.
     *
     * @throws Exception if the handler throws it
     * @hidden
     */
    public final void fire() throws Exception {
        handler.handleTimeout(token);
    }

    /**
     * Sets the deadline of a periodic timer to its next expiry after now; missed expiries are skipped.
     *
     * @param now the current value of the loop's clock
     * @return whether there is a next expiry; false for a one-shot or cancelled timer
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
     * Removes the timer from its list.
     *
     * @param first the first timer of the list
     * @return the first of the remaining timers, null if there are none
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
