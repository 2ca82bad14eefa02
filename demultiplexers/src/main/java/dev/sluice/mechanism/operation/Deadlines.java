package dev.sluice.mechanism.operation;

import dev.sluice.deadline.DeadlineHeap;

/** The pending timeouts, as a heap of the operations themselves. Used only inside. */
public final class Deadlines extends DeadlineHeap<NativeOperation> {

    /** Makes an empty heap. */
    public Deadlines() {
        super(16);
    }

    @Override
    protected long deadline(NativeOperation operation) {
        return operation.endOfTimeout();
    }

    @Override
    protected int place(NativeOperation operation) {
        return operation.deadlineIndex;
    }

    @Override
    protected void place(NativeOperation operation, int place) {
        operation.deadlineIndex = place;
    }

    boolean isEmpty() {
        return size() == 0;
    }

    /** {@return when the next one is due, on the scale of {@link System#nanoTime()}, if there is one} */
    long next() {
        return deadline(first());
    }

    /**
     * Removes a timeout that is due.
     *
     * @return the operation, or null
     */
    public NativeOperation pollDue() {
        return isEmpty() ? null : pollDue(System.nanoTime());
    }

    /**
     * Shortens the timeout of a wait so that it ends when the next timeout is due.
     *
     * @param timeoutNanos in nanoseconds; negative means forever
     * @return in nanoseconds; negative means forever
     */
    public long bound(long timeoutNanos) {
        if (isEmpty() || timeoutNanos == 0) {
            return timeoutNanos;
        }
        long left = Math.max(0, next() - System.nanoTime());
        return timeoutNanos < 0 ? left : Math.min(left, timeoutNanos);
    }
}
