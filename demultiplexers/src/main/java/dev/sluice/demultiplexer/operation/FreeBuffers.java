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
     * Takes one, a large one for a connection that brings much, if there is any.
     *
     * @param operation that will receive into it
     * @param provided  adds buffers, as far as there may be more
     * @return the buffer, or null if there is none
     */
    public PooledBuffer take(OperationSlot operation, ProvidedBuffers provided) {
        if (provided.prefersLargeBuffers(operation) && (!large.isEmpty() || provided.growLarge())) {
            return large.poll();
        }
        if (ordinary.isEmpty()) {
            provided.growOrdinary(operation);
        }
        return ordinary.poll();
    }
}
