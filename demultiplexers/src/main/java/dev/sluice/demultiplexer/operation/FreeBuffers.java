package dev.sluice.demultiplexer.operation;

/** The free provided buffers of a mechanism that takes one when something can be received. Used only inside. */
public final class FreeBuffers {

    private final BufferStack ordinary = new BufferStack();
    private final BufferStack large = new BufferStack();

    /** Makes it empty. */
    public FreeBuffers() {
    }

    /**
     * Adds a buffer that can be received into.
     *
     * @param buffer which
     */
    public void add(PooledBuffer buffer) {
        (buffer.isLarge() ? large : ordinary).push(buffer);
    }

    /**
     * Takes one, a large one for a connection that brings much, if there is any. If there is none, or the connection
     * has taken its share, the operation waits until some come back.
     *
     * @param operation that will receive into it; begun, not being executed
     * @param outcomes  of the operation
     * @return the buffer; null if the operation waits, or has been cancelled and completed
     */
    public PooledBuffer take(OperationSlot operation, Outcomes outcomes) {
        if (outcomes.pause(operation)) {
            return null;
        }
        PooledBuffer buffer = take(operation, outcomes.providedBuffers());
        if (buffer == null) {
            outcomes.awaitProvidedBuffer(operation);
        }
        return buffer;
    }

    private PooledBuffer take(OperationSlot operation, ProvidedBuffers provided) {
        if (provided.prefersLargeBuffers(operation) && (!large.isEmpty() || provided.growLarge())) {
            return large.poll();
        }
        if (ordinary.isEmpty()) {
            provided.growOrdinary(operation);
        }
        return ordinary.poll();
    }
}
