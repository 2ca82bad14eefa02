package dev.sluice.demultiplexer.operation;

import dev.sluice.deadline.DeadlineHeap;

/** The heap of pending timeouts and pauses. Used only inside. */
public final class Deadlines extends DeadlineHeap<Timed> {

    /** Creates an empty heap. */
    public Deadlines() {
        super(16);
    }

    @Override
    protected long deadline(Timed waiting) {
        return waiting.deadline();
    }

    @Override
    protected int position(Timed waiting) {
        return waiting.place;
    }

    @Override
    protected void position(Timed waiting, int position) {
        waiting.place = position;
    }

    boolean isEmpty() {
        return size() == 0;
    }

    /** {@return the earliest deadline, on the scale of {@link System#nanoTime()}; there must be one} */
    long next() {
        return deadline(first());
    }

    /** Removes the waits that have ended, and continues their operations. */
    public void resumeDue() {
        Timed due;
        while (!isEmpty() && (due = pollDue(System.nanoTime())) != null) {
            Execution<?> execution = due.operation().execution();
            assert execution != null;
            try {
                execution.resumeDue();
            } catch (RuntimeException | Error e) {
                execution.outcomes.failed(due.operation(), e);
            }
        }
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
