package dev.sluice.demultiplexer.operation;

import dev.sluice.deadline.DeadlineHeap;
import org.jspecify.annotations.Nullable;

/** The heap of pending timeouts. Used only inside. */
public final class Deadlines extends DeadlineHeap<Delay> {

    /** Creates an empty heap. */
    public Deadlines() {
        super(16);
    }

    @Override
    protected long deadline(Delay delay) {
        return delay.deadline();
    }

    @Override
    protected int position(Delay delay) {
        return delay.place;
    }

    @Override
    protected void position(Delay delay, int position) {
        delay.place = position;
    }

    boolean isEmpty() {
        return size() == 0;
    }

    /** {@return the earliest deadline, on the scale of {@link System#nanoTime()}; there must be one} */
    long next() {
        return deadline(first());
    }

    /**
     * Removes a timeout that has expired.
     *
     * @return the operation of the timeout; null if none has expired
     */
    public @Nullable OperationSlot pollDue() {
        Delay due = isEmpty() ? null : pollDue(System.nanoTime());
        return due == null ? null : due.operation();
    }

    /**
     * Limits the timeout of a wait to the time until the earliest deadline.
     *
     * @param timeoutNanos the timeout in nanoseconds; negative means no limit
     * @return the limited timeout in nanoseconds; negative means no limit
     */
    public long bound(long timeoutNanos) {
        if (isEmpty() || timeoutNanos == 0) {
            return timeoutNanos;
        }
        long left = Math.max(0, next() - System.nanoTime());
        return timeoutNanos < 0 ? left : Math.min(left, timeoutNanos);
    }
}
