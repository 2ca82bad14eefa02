package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Timeout;
import dev.sluice.timer.TimerQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Timers as an event source (Leader/Followers paper, 10.5): the leader waits for the next expiry. Several threads may
 * dispatch different timers at the same time, but never the same timer. It is for pools without a handle set: a
 * {@link HandleSetSource} serves timers in the wait of its own leader, and needs no thread for them.
 */
public final class TimerSource extends TimedSource {

    private final TimerQueue timers;
    private final Semaphore wakeUps;

    /**
     * Makes a source of timers.
     *
     * @param timers the strategy that keeps them, empty; the source owns it from now on
     */
    public TimerSource(TimerQueue timers) {
        this(timers, new Semaphore(0));
    }

    private TimerSource(TimerQueue timers, Semaphore wakeUps) {
        super(timers, wakeUps::release);
        this.timers = timers;
        this.wakeUps = wakeUps;
    }

    @Override
    public boolean isConcurrent() {
        return false;
    }

    @Override
    public Waiter newWaiter() {
        return this::await;
    }

    private PendingEvent await(long timeoutNanos) {
        PendingEvent event = nextDue(0, System.nanoTime());
        if (event == null) {
            awaitExpiry(timeoutNanos);
            event = nextDue(0, System.nanoTime());
        }
        return event;
    }

    private void awaitExpiry(long timeoutNanos) {
        work.beginWait();
        try {
            awaitWakeUp(work.hasEnded() ? 0 : work.waitTime(timeoutNanos));
        } finally {
            work.endWait();
        }
    }

    private void awaitWakeUp(long timeoutNanos) {
        long longest = timeoutNanos < 0 ? Long.MAX_VALUE : timeoutNanos;
        long begin = Timeout.begin(longest);
        boolean interrupted = false;
        boolean over = false;
        while (!over) {
            try {
                over = wakeUps.tryAcquire(Timeout.left(longest, begin), TimeUnit.NANOSECONDS)
                        || Timeout.left(longest, begin) == 0;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        wakeUps.drainPermits();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void wakeUp() {
        wakeUps.release();
    }

    @Override
    public void close() {
        work.end();
        wakeUp();
    }

    /** {@return for example {@code 3 timers}} */
    @Override
    public String toString() {
        return timers.size() + " timers";
    }
}
