package dev.sluice.demultiplexer.operation;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.OperationType;

/** How long a timeout lasts. */
public final class Delay extends Arguments {

    private long nanos;
    private long deadline;
    /** Its place among the {@link Deadlines}. */
    int place;

    Delay(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }

    void set(long newNanos) {
        nanos = newNanos;
        // Set here so that the time until the loop thread sees it counts.
        deadline = System.nanoTime() + Math.min(newNanos, Timeout.MAX_NANOS);
    }

    @Override
    void check() {
        requireNotNegative(nanos, "nanos");
    }

    /** {@return its end, on the scale of {@link System#nanoTime()}} */
    public long deadline() {
        return deadline;
    }
}
