package dev.sluice.demultiplexer.operation;

import org.jspecify.annotations.Nullable;

/**
 * A queue of operations for the mechanism to cancel, each of which is in it at most once. An operation stays in the
 * queue if it completes, and even if it is started again. Linked like an {@link OperationQueue}. Used only inside.
 */
public final class CancellationQueue {

    private @Nullable OperationSlot first;
    private @Nullable OperationSlot last;

    /** Creates an empty queue. */
    public CancellationQueue() {
    }

    /** {@return whether the queue is empty} */
    public boolean isEmpty() {
        return first == null;
    }

    /**
     * Adds an operation, unless it is in the queue.
     *
     * @param operation the operation
     */
    public void add(OperationSlot operation) {
        if (operation.isToCancel()) {
            return;
        }
        operation.cancellation.nextToCancel = operation;
        if (first == null) {
            first = operation;
        } else {
            assert last != null;
            last.cancellation.nextToCancel = operation;
        }
        last = operation;
    }

    /** {@return the first operation, which is removed; null if the queue is empty} */
    public @Nullable OperationSlot poll() {
        OperationSlot taken = first;
        if (taken != null) {
            first = taken == last ? null : taken.cancellation.nextToCancel;
            taken.cancellation.nextToCancel = null;
        }
        return taken;
    }
}
