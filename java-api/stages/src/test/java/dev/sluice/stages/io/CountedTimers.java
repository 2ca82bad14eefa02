package dev.sluice.stages.io;

import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;

/** Tells other threads how many timers there are, and how many there have been at once. */
final class CountedTimers implements TimerQueue {

    private final TimerQueue timers = TimerQueue.heap();
    private volatile int count;
    private volatile int most;

    int count() {
        return count;
    }

    int most() {
        return most;
    }

    @Override
    public void add(Timer timer) {
        timers.add(timer);
        count = timers.size();
        most = Math.max(most, count);
    }

    @Override
    public void remove(Timer timer) {
        timers.remove(timer);
        count = timers.size();
    }

    @Override
    public Timer poll(long now) {
        Timer due = timers.poll(now);
        count = timers.size();
        return due;
    }

    @Override
    public long earliest(long now) {
        return timers.earliest(now);
    }

    @Override
    public int size() {
        return timers.size();
    }
}
