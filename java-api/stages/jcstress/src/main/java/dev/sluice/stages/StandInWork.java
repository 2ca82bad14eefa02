package dev.sluice.stages;

import java.util.concurrent.atomic.AtomicInteger;

/** A number of items of work for a crew. */
final class StandInWork implements WorkerThreads.Work {

    private final AtomicInteger left = new AtomicInteger();

    /** Adds an item; the caller wakes the crew afterwards. */
    void add() {
        left.incrementAndGet();
    }

    /** {@return the number of items left} */
    int left() {
        return left.get();
    }

    @Override
    public boolean perform() {
        int before = left.get();
        return before > 0 && left.compareAndSet(before, before - 1);
    }

    @Override
    public boolean isThere() {
        return left.get() > 0;
    }
}
