package dev.sluice.demultiplexer.operation;

/**
 * Operations that wait for the same thing, first in, first out. Linked through the operations themselves, so that one
 * can be added when there is no memory; an operation is in one such queue at a time. Used only inside.
 */
public final class OperationQueue {

    /** Stays until it is removed; null if there is none. */
    OperationSlot first;
    private OperationSlot last;

    /** Creates an empty queue. */
    public OperationQueue() {
    }

    /** {@return whether there is none} */
    public boolean isEmpty() {
        return first == null;
    }

    /**
     * Adds an operation.
     *
     * @param operation in no such queue
     */
    public void add(OperationSlot operation) {
        operation.nextWaiting = null;
        if (first == null) {
            first = operation;
        } else {
            last.nextWaiting = operation;
        }
        last = operation;
    }

    /** {@return the first one, which is removed; null if there is none} */
    public OperationSlot poll() {
        OperationSlot taken = first;
        if (taken != null) {
            first = taken.nextWaiting;
            taken.nextWaiting = null;
        }
        return taken;
    }

    /**
     * {@return whether an operation is here}
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

    /** Removes an operation if it is here. */
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
