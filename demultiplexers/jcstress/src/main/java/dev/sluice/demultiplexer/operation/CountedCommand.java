package dev.sluice.demultiplexer.operation;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often it is performed, and in which place first. */
final class CountedCommand extends Command {

    private final AtomicInteger clock;
    private int place;
    private int times;

    CountedCommand(AtomicInteger clock) {
        this.clock = clock;
    }

    @Override
    void perform() {
        place = clock.incrementAndGet();
        times++;
    }

    int place() {
        return place;
    }

    int times() {
        return times;
    }
}
