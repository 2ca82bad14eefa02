package dev.sluice.eventloop;

import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;

/** Timers of the one loop thread. */
final class LoopTimers extends TimerDispatch {

    private final TimerQueue timers;

    LoopTimers(EventLoop loop, TimerQueue timers) {
        super(loop);
        this.timers = timers;
    }

    @Override
    void add(Timer timer) {
        loop().performOrEnqueue(() -> {
            if (timer.isPending()) {
                timers.add(timer);
            }
        });
    }

    @Override
    void remove(Timer timer) {
        loop().performOrEnqueue(() -> timers.remove(timer));
    }

    @Override
    long bound(long most) {
        return timers.isEmpty() ? most : Math.min(most, timers.earliest(System.nanoTime()));
    }

    @Override
    void endWait() {
        // Whoever waits again looks again.
    }

    @Override
    boolean isUnattended() {
        return false;
    }

    @Override
    int expire() {
        if (timers.isEmpty()) {
            return 0;
        }
        int count = 0;
        long now = System.nanoTime();
        for (Timer timer = timers.poll(now); timer != null; timer = timers.poll(now)) {
            if (fire(timer)) {
                count++;
            }
            if (timer.repeat(now)) {
                timers.add(timer);
            }
        }
        return count;
    }
}
