package dev.sluice.timer;

import dev.sluice.deadline.DeadlineHeap;

/** A binary heap: exact, O(log n) to add and remove. Timers of the same deadline come in any order. */
final class TimerHeap implements TimerQueue {

    private final DeadlineHeap<Timer> heap = new DeadlineHeap<>(64) {

        @Override
        protected long deadline(Timer timer) {
            return timer.deadline();
        }

        @Override
        protected int place(Timer timer) {
            return timer.index;
        }

        @Override
        protected void place(Timer timer, int place) {
            timer.index = place;
        }
    };

    @Override
    public void add(Timer timer) {
        heap.add(timer);
    }

    @Override
    public void remove(Timer timer) {
        heap.remove(timer);
    }

    @Override
    public Timer poll(long now) {
        return heap.pollDue(now);
    }

    @Override
    public long earliest(long now) {
        Timer first = heap.first();
        return first == null ? NEVER : Math.max(first.deadline() - now, 0);
    }

    @Override
    public int size() {
        return heap.size();
    }
}
