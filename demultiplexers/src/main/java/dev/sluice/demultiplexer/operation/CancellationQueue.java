package dev.sluice.demultiplexer.operation;

/**
 * Operations that the mechanism is to cancel, each once, whatever else it waits for. One stays here also if it
 * completes, and even if it is started again. Linked as an {@link OperationQueue} is. Used only inside.
 */
public final class CancellationQueue {

    private OperationSlot first;
    private OperationSlot last;

    /** Creates an empty queue. */
    public CancellationQueue() {
    }

    /** {@return whether there is none} */
    public boolean isEmpty() {
        return first == null;
    }

    /**
     * Adds an operation, unless it is here.
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
            last.cancellation.nextToCancel = operation;
        }
        last = operation;
    }

    /** {@return the first one, which is removed; null if there is none} */
    public OperationSlot poll() {
        OperationSlot taken = first;
        if (taken != null) {
            first = taken == last ? null : taken.cancellation.nextToCancel;
            taken.cancellation.nextToCancel = null;
        }
        return taken;
    }
}
