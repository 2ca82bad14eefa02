package dev.sluice.timer;

import dev.sluice.deadline.DeadlineHeap;
import org.jspecify.annotations.Nullable;

/** A binary heap: exact, O(log n) to add and remove. Timers with the same deadline are in no particular order. */
final class TimerHeap extends DeadlineHeap<Timer> implements TimerQueue {

    TimerHeap() {
        super(64);
    }

    @Override
    protected long deadline(Timer timer) {
        return timer.deadline();
    }

    @Override
    protected int position(Timer timer) {
        return timer.index;
    }

    @Override
    protected void position(Timer timer, int position) {
        timer.index = position;
    }

    @Override
    public @Nullable Timer poll(long now) {
        return pollDue(now);
    }

    @Override
    public long earliest(long now) {
        Timer first = first();
        return first == null ? NEVER : Math.max(first.deadline() - now, 0);
    }
}
