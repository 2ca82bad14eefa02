package dev.sluice.eventloop;

import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;

/** A timer queue without memory for its next timers. */
public final class ForgetfulTimers implements TimerQueue {

    private final TimerQueue memory = TimerQueue.heap();
    private int refusals;

    /** Refuses some timers, from the first one on. */
    public ForgetfulTimers(int refusals) {
        this.refusals = refusals;
    }

    /** Refuses some of the timers that are still to come. */
    public void refuse(int count) {
        refusals = count;
    }

    /** {@return the number of timers that are still to be refused} */
    public int refusals() {
        return Math.max(refusals, 0);
    }

    @Override
    public void add(Timer timer) {
        if (refusals-- > 0) {
            throw new OutOfMemoryError("thrown by the test");
        }
        memory.add(timer);
    }

    @Override
    public void remove(Timer timer) {
        memory.remove(timer);
    }

    @Override
    public Timer poll(long now) {
        return memory.poll(now);
    }

    @Override
    public long earliest(long now) {
        return memory.earliest(now);
    }

    @Override
    public int size() {
        return memory.size();
    }
}
