package dev.sluice.demultiplexer.operation;

import org.jspecify.annotations.Nullable;

/**
 * A first-in, first-out queue of operations. It is linked through the operations, so that adding one needs no memory;
 * an operation is in one such queue at a time. Used only inside.
 */
public final class OperationQueue {

    /** The first operation; null if the queue is empty. */
    @Nullable OperationSlot first;
    private @Nullable OperationSlot last;

    /** Creates an empty queue. */
    public OperationQueue() {
    }

    /** {@return whether the queue is empty} */
    public boolean isEmpty() {
        return first == null;
    }

    /**
     * Adds an operation.
     *
     * @param operation an operation that is in no such queue
     */
    public void add(OperationSlot operation) {
        operation.nextWaiting = null;
        if (first == null) {
            first = operation;
        } else {
            assert last != null;
            last.nextWaiting = operation;
        }
        last = operation;
    }

    /** {@return the first operation, which is removed; null if the queue is empty} */
    public @Nullable OperationSlot poll() {
        OperationSlot taken = first;
        if (taken != null) {
            first = taken.nextWaiting;
            taken.nextWaiting = null;
        }
        return taken;
    }

    /**
     * {@return whether an operation is in the queue}
     *
     * @param operation the operation
     */
    public boolean contains(OperationSlot operation) {
        for (OperationSlot each = first; each != null; each = each.nextWaiting) {
            if (each == operation) {
                return true;
            }
        }
        return false;
    }

    /** Removes an operation if it is in the queue. */
    void remove(OperationSlot operation) {
        OperationSlot before = null;
        for (OperationSlot each = first; each != null; each = each.nextWaiting) {
            if (each == operation) {
                if (before == null) {
                    first = each.nextWaiting;
                } else {
                    before.nextWaiting = each.nextWaiting;
                }
                if (last == each) {
                    last = before;
                }
                each.nextWaiting = null;
                return;
            }
            before = each;
        }
    }
}
