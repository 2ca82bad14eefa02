package dev.sluice.demultiplexer.operation;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.OperationType;

/** The duration of a timeout. */
public final class Delay extends Arguments {

    private long nanos;
    private long deadline;
    /** The place in {@link Deadlines}. */
    int place;

    Delay(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }

    void set(long newNanos) {
        nanos = newNanos;
        // Set here, so that the time until the loop thread begins the operation counts.
        deadline = System.nanoTime() + Math.min(newNanos, Timeout.MAX_NANOS);
    }

    @Override
    void check() {
        requireNotNegative(nanos, "nanos");
    }

    /** {@return the end of the timeout, on the scale of {@link System#nanoTime()}} */
    public long deadline() {
        return deadline;
    }
}
