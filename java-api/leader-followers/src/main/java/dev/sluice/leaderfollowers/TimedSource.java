package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Timeout;
import dev.sluice.dispatch.PendingWork;
import dev.sluice.dispatch.Timers;
import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.EventHandler;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An event source whose waits end with the next expiry of its timers. */
abstract class TimedSource implements EventSource {

    private static final Logger LOG = LoggerFactory.getLogger(EventSource.class);

    final PendingWork work;

    /**
     * Makes a source without timers.
     *
     * @param timers the strategy that keeps the timers, empty; the source owns it from now on
     * @param wakeUp ends a wait
     */
    TimedSource(TimerQueue timers, Runnable wakeUp) {
        work = new PendingWork(Objects.requireNonNull(timers, "timers"), true, wakeUp, TimedSource::failed);
    }

    /**
     * Schedules a timer that fires once; that may be before this returns.
     *
     * @param handler its {@link TimeoutHandler#handleTimeout} is called; what that throws goes to
     *                {@link EventHandler#handleFailure} if it is an {@code EventHandler}, and otherwise to the log
     * @param token   handed to it; may be null
     * @param delay   from now; longer than 100 years counts as 100 years
     * @return the timer, for cancelling it
     * @throws IllegalArgumentException     if the delay is negative
     * @throws IllegalStateException        if the source is closed
     * @throws java.io.UncheckedIOException if the system refuses to wake a thread that waits; the timer is scheduled,
     *                                      but may fire late
     */
    public Timer schedule(TimeoutHandler handler, Object token, Duration delay) {
        StackReserve.requireForCall();
        return add(handler, token, delay, Timer.ONCE);
    }

    /**
     * Schedules a periodic timer. Expiries that fall due while it is being dispatched are skipped, not made up for.
     *
     * @param handler as for {@link #schedule(TimeoutHandler, Object, Duration)}
     * @param token   handed to it; may be null
     * @param delay   from now to the first expiry
     * @param period  between expiries, more than zero
     * @return the timer, for cancelling it
     * @throws IllegalArgumentException     if the delay is negative or the period is not positive
     * @throws IllegalStateException        if the source is closed
     * @throws java.io.UncheckedIOException as {@link #schedule(TimeoutHandler, Object, Duration)}
     */
    public Timer schedule(TimeoutHandler handler, Object token, Duration delay, Duration period) {
        StackReserve.requireForCall();
        return add(handler, token, delay, Timers.period(period));
    }

    private Timer add(TimeoutHandler handler, Object token, Duration delay, long period) {
        Timer timer = new SourceTimer(handler, token, System.nanoTime() + Timeout.nanos("delay", delay), period);
        if (work.hasEnded()) {
            throw closedException();
        }
        work.add(timer);
        return timer;
    }

    /** {@return what to throw when it is too late} */
    final IllegalStateException closedException() {
        return new IllegalStateException("the source is closed: " + this);
    }

    /** A timer of this source. */
    private final class SourceTimer extends Timer {

        SourceTimer(TimeoutHandler handler, Object token, long deadline, long period) {
            super(handler, token, deadline, period);
        }

        @Override
        protected void startIn(long delayNanos) {
            if (work.hasEnded()) {
                throw closedException();
            }
            work.start(this, System.nanoTime() + delayNanos);
        }

        @Override
        protected void cancelled() {
            work.remove(this);
        }
    }

    @Override
    public void recordTo(DispatchTrace trace) {
        work.recordTo(trace);
    }

    /**
     * Takes a timer, task or signal.
     *
     * @param lastTask the number of the last task or signal to take
     * @param now      the time by which a timer has to be due
     * @return null if there is none
     */
    final PendingEvent nextDue(long lastTask, long now) {
        if (!work.hasDue(lastTask, now)) {
            return null;
        }
        PendingWork.Due due = work.new Due();
        PendingEvent event = due::run;
        return due.take(lastTask, now) ? event : null;
    }

    private static void failed(Object handler, Throwable cause) {
        if (handler instanceof EventHandler notified) {
            try {
                notified.handleFailure(null, cause);
            } catch (Throwable e) {
                HookFailure.logUndelivered(notified, cause, e);
            }
        } else {
            HookFailure.log(LOG, handler, "a timer or signal", cause);
        }
    }
}
