package dev.sluice.demultiplexer;

import java.nio.ByteBuffer;

/**
 * A {@link ProvidedBuffer} that the program owns until it closes it, or sends it. Buffers that are not closed count
 * against the share of the connection that has received them, and at last its receive waits for them.
 *
 * <p>May be handed from thread to thread. The memory is the demultiplexer's, and its close frees it.
 */
public abstract class RetainedBuffer implements AutoCloseable {

    /** For demultiplexers. */
    protected RetainedBuffer() {
    }

    /**
     * {@return the received bytes, from position to limit; direct, and the same object until the buffer is closed}
     *
     * @throws IllegalStateException if it has been closed, or sent
     */
    public abstract ByteBuffer bytes();

    /**
     * Takes the buffer away from its owner, for the queue that sends it. For this library.
     *
     * @return what the queue has instead
     * @throws IllegalStateException if it has been closed, or sent
     * @hidden
     */
    public RetainedBuffer moved() {
        return this;
    }

    /**
     * Gives the buffer back to the demultiplexer, once. Its bytes must not be accessed afterwards.
     *
     * @throws IllegalStateException if it has been closed, or sent. A second call is not detected if the buffer has
     *                               been received into and retained again in the meantime: then it takes the bytes away
     *                               from their owner.
     */
    @Override
    public abstract void close();
}
