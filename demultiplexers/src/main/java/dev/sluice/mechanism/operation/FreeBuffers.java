package dev.sluice.mechanism.operation;

import java.util.ArrayDeque;

/** The free provided buffers of a mechanism that takes one when something can be received. Used only inside. */
public final class FreeBuffers {

    private final ArrayDeque<PooledBuffer> ordinary = new ArrayDeque<>();
    private final ArrayDeque<PooledBuffer> large = new ArrayDeque<>();

    /** Makes it empty. */
    public FreeBuffers() {
    }

    /**
     * Adds a buffer that can be received into.
     *
     * @param buffer which
     */
    public void add(PooledBuffer buffer) {
        // On top, since what was used last is in the processor's cache.
        (buffer.group().number() == ProvidedBuffers.ORDINARY ? ordinary : large).push(buffer);
    }

    /**
     * Takes one, a large one for a connection that brings much, if there is any.
     *
     * @param operation that will receive into it
     * @param provided  adds buffers, as far as there may be more
     * @return the buffer, or null if there is none
     */
    public PooledBuffer take(NativeOperation operation, ProvidedBuffers provided) {
        BufferGroup group = provided.groupFor(operation);
        if (group.number() == ProvidedBuffers.LARGE && (!large.isEmpty() || provided.growLarge())) {
            return large.pop();
        }
        if (ordinary.isEmpty()) {
            provided.growOrdinary();
        }
        return ordinary.poll();
    }
}
