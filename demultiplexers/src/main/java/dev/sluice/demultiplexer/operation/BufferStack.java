package dev.sluice.demultiplexer.operation;

/**
 * Free provided buffers of one size, the one used last on top, since that is in the processor's cache. Linked through
 * the buffers themselves, so that one can be given back when there is no memory. Used only inside.
 */
public final class BufferStack {

    private PooledBuffer top;

    /** Makes it empty. */
    public BufferStack() {
    }

    /** {@return whether there is none} */
    public boolean isEmpty() {
        return top == null;
    }

    /**
     * Adds a buffer.
     *
     * @param buffer in no stack
     */
    public void push(PooledBuffer buffer) {
        buffer.nextFree = top;
        top = buffer;
    }

    /** {@return one, which is removed; null if there is none} */
    public PooledBuffer poll() {
        PooledBuffer taken = top;
        if (taken != null) {
            top = taken.nextFree;
            taken.nextFree = null;
        }
        return taken;
    }
}
