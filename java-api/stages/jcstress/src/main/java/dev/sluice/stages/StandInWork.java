package dev.sluice.stages;

import java.util.concurrent.atomic.AtomicInteger;

/** A number of items of work for worker threads. */
final class StandInWork implements WorkerThreads.Work {

    private final AtomicInteger pending = new AtomicInteger();

    /** Adds an item; the caller wakes a thread afterwards. */
    void add() {
        pending.incrementAndGet();
    }

    /** {@return the number of items left} */
    int pending() {
        return pending.get();
    }

    @Override
    public boolean perform() {
        int before = pending.get();
        return before > 0 && pending.compareAndSet(before, before - 1);
    }

    @Override
    public boolean hasWork() {
        return pending.get() > 0;
    }
}
