package dev.sluice.leaderfollowers;

import dev.sluice.dispatch.Timers;
import dev.sluice.reactor.EventHandler;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Timers as an event source (Leader/Followers paper, 10.5): the leader waits for the next expiry. Several threads may
 * dispatch different timers at the same time, but never the same timer. It is for pools without a handle set: a
 * {@link HandleSetSource} serves timers in the wait of its own leader, and needs no thread for them.
 */
public final class TimerSource implements EventSource {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final TimerQueue timers;
    private DispatchTrace trace;
    private boolean wokenUp;
    private boolean closed;

    /**
     * Makes a source of timers.
     *
     * @param timers the strategy that keeps them, empty; the source owns it from now on
     */
    public TimerSource(TimerQueue timers) {
        this.timers = Objects.requireNonNull(timers, "timers");
    }

    /**
     * Schedules a timer that fires once.
     *
     * @param handler its {@link TimeoutHandler#handleTimeout} is called; what that throws goes to
     *                {@link EventHandler#handleFailure} if it is an {@code EventHandler}, and otherwise to the log
     * @param token   handed to it, and returned by cancelling the timer; may be null
     * @param delay   from now; longer than 100 years counts as 100 years
     * @return the timer, for cancelling it
     * @throws IllegalArgumentException if the delay is negative
     * @throws IllegalStateException    if the source is closed
     */
    public Timer schedule(TimeoutHandler handler, Object token, Duration delay) {
        return add(Timers.newTimer(handler, token, delay));
    }

    /**
     * Schedules a periodic timer. Expiries that fall due while it is being dispatched are skipped.
     *
     * @param handler as for {@link #schedule(TimeoutHandler, Object, Duration)}
     * @param token   handed to it, and returned by cancelling the timer; may be null
     * @param delay   from now to the first expiry
     * @param period  between expiries, more than zero
     * @return the timer, for cancelling it
     * @throws IllegalArgumentException if the delay is negative or the period is not positive
     * @throws IllegalStateException    if the source is closed
     */
    public Timer schedule(TimeoutHandler handler, Object token, Duration delay, Duration period) {
        return add(Timers.newTimer(handler, token, delay, period));
    }

    private Timer add(Timer timer) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the timers are closed");
            }
            timers.add(timer);
            changed.signal();
            return timer;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Cancels a timer. Once this has returned a token, the timer is not dispatched again, though a dispatch may still
     * be going on.
     *
     * @param timer from {@link #schedule}
     * @return the timer's token; null if it has fired, or was cancelled before
     */
    public Object cancel(Timer timer) {
        if (!timer.cancel()) {
            return null;
        }
        lock.lock();
        try {
            timers.remove(timer);
        } finally {
            lock.unlock();
        }
        return timer.token();
    }

    @Override
    public boolean isConcurrent() {
        return false;
    }

    @Override
    public void recordTo(DispatchTrace recording) {
        trace = recording;
    }

    @Override
    public Waiter newWaiter() {
        return new TimerWaiter();
    }

    private final class TimerWaiter implements Waiter {

        @Override
        public PendingEvent await(long timeoutNanos) {
            long end = timeoutNanos < 0 ? Long.MAX_VALUE : timeoutNanos;
            Timer due = awaitDue(System.nanoTime(), end);
            return due == null ? null : new ExpiredTimer(due, TimerSource.this::repeat, trace);
        }

        @Override
        public void close() {
            // It owns nothing.
        }
    }

    private Timer awaitDue(long begin, long timeoutNanos) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (true) {
                long now = System.nanoTime();
                Timer due = closed ? null : timers.poll(now);
                long left = timeoutNanos - (now - begin);
                if (due != null || wokenUp || closed || left <= 0) {
                    wokenUp = false;
                    return due;
                }
                interrupted |= !await(Math.min(left, timers.earliest(now)));
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** {@return false if it was interrupted} */
    private boolean await(long nanos) {
        try {
            changed.awaitNanos(nanos);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void repeat(Timer timer) {
        lock.lock();
        try {
            if (!closed && timer.repeat(System.nanoTime())) {
                timers.add(timer);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wakeUp() {
        lock.lock();
        try {
            wokenUp = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** {@return for example {@code 3 timers}} */
    @Override
    public String toString() {
        lock.lock();
        try {
            return timers.size() + " timers";
        } finally {
            lock.unlock();
        }
    }
}
