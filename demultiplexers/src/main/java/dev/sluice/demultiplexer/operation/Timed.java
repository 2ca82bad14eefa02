package dev.sluice.demultiplexer.operation;

import dev.sluice.deadline.DeadlineHeap;
import dev.sluice.demultiplexer.OperationType;

/** Arguments of an operation that waits until a time. */
public abstract class Timed extends Arguments {

    private long deadline;
    /** The place in {@link Deadlines}. */
    int place = DeadlineHeap.NO_POSITION;

    Timed(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }

    /** Sets the end of the next wait, which must not have begun. */
    final void setDeadline(long nanos) {
        deadline = System.nanoTime() + nanos;
    }

    /** {@return the end of the wait, on the scale of {@link System#nanoTime()}} */
    public final long deadline() {
        return deadline;
    }
}
