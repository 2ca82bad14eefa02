package dev.sluice.benchmarks.timers;

import dev.sluice.timer.TimerQueue;

/** Sluice's timer queues. */
public enum QueueKind {

    /** A binary heap. */
    HEAP,
    /** Hierarchical timing wheels, with a tick of a millisecond. */
    WHEEL;

    /** {@return a new one} */
    TimerQueue open() {
        return this == HEAP ? TimerQueue.heap() : TimerQueue.wheel();
    }
}
