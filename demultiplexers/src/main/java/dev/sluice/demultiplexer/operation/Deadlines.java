package dev.sluice.demultiplexer.operation;

import dev.sluice.deadline.DeadlineHeap;

/** The pending timeouts, as a heap of what the operations were asked for. Used only inside. */
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

    /** {@return when the next one is due, on the scale of {@link System#nanoTime()}, if there is one} */
    long next() {
        return deadline(first());
    }

    /**
     * Removes a timeout that is due.
     *
     * @return the operation, or null
     */
    public OperationSlot pollDue() {
        Delay due = isEmpty() ? null : pollDue(System.nanoTime());
        return due == null ? null : due.operation();
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
