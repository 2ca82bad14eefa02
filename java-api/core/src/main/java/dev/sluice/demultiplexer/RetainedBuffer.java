package dev.sluice.demultiplexer;

import java.nio.ByteBuffer;

/**
 * A {@link ProvidedBuffer} that the program owns until it closes or sends it. Buffers that are not closed count against
 * the share of the connection that has received them, whose receive pauses when the share is reached.
 *
 * <p>May be passed from thread to thread. The memory belongs to the demultiplexer, whose close frees it.
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
     * Transfers the buffer from its owner to the queue that sends it. For this library.
     *
     * @return the object that represents it in the queue
     * @throws IllegalStateException if it has been closed, or sent
     * @hidden
     */
    public RetainedBuffer moved() {
        return this;
    }

    /**
     * Releases the buffer. Its bytes must not be accessed afterwards.
     *
     * @throws IllegalStateException if it has been closed, or sent. A second call is not detected if the buffer has
     *                               been used and retained again in the meantime: then it releases the buffer of the
     *                               new owner.
     */
    @Override
    public abstract void close();
}
