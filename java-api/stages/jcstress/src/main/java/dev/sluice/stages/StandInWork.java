package dev.sluice.stages;

import java.util.concurrent.atomic.AtomicInteger;

/** So many things for a crew to do. */
final class StandInWork implements Crew.Work {

    private final AtomicInteger left = new AtomicInteger();

    /** There is one more, of which the crew has still to be told. */
    void add() {
        left.incrementAndGet();
    }

    /** {@return how many there are} */
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
