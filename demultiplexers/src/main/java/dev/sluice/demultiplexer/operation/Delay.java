package dev.sluice.demultiplexer.operation;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.OperationType;

/** The duration of a timeout. */
public final class Delay extends Timed {

    private long nanos;

    Delay(OperationSlot operation, OperationType type) {
        super(operation, type);
    }

    void set(long newNanos) {
        nanos = newNanos;
        // Set here, so that the time until the loop thread begins the operation counts.
        setDeadline(Math.min(newNanos, Timeout.MAX_NANOS));
    }

    @Override
    void check() {
        requireNotNegative(nanos, "nanos");
    }
}
