package dev.sluice.demultiplexer;

import com.google.errorprone.annotations.CheckReturnValue;
import java.nio.ByteBuffer;

/**
 * A buffer of the demultiplexer that a continuous receive has put bytes into. It goes back when the hook that received
 * it has returned, at the latest when its thread waits again, unless it has been kept; a buffer that is kept must be
 * released, or continuous receives will eventually have to wait for buffers.
 *
 * <p>One connection may keep only a share of the buffers. When it keeps that many, counting those on their way to its
 * handler, its continuous receive pauses until some are back, and its peer sees a connection that is not being read;
 * nothing is lost. So where the buffers that a peer has filled are kept to be sent back to it, a peer that does not
 * read delays only itself. A few more buffers may arrive before the receive pauses.
 *
 * <p>The memory is the demultiplexer's, and its close frees all of it, also what is kept. So nothing may use it then,
 * such as a send on another demultiplexer that is still in flight.
 */
public abstract class ProvidedBuffer {

    /** For demultiplexers. */
    protected ProvidedBuffer() {
    }

    /**
     * {@return the received bytes, from position to limit; direct, and the same object until the buffer goes back}
     *
     * @throws IllegalStateException if it has gone back, or has been retained or sent
     */
    public abstract ByteBuffer bytes();

    /**
     * Makes the caller the owner of the buffer. Called by the thread that collected the completion, inside the hook for
     * it.
     *
     * @return the same bytes, to be closed or sent
     * @throws IllegalStateException if the buffer has gone back, or has been retained or sent
     */
    @CheckReturnValue
    public abstract RetainedBuffer retain();

    /** {@return the received bytes, from position to limit; direct, and the same object until it has gone back} */
    public abstract ByteBuffer buffer();

    /**
     * Keeps the bytes beyond the next wait. Called by the thread that collected the completion, before it waits again.
     *
     * @return this buffer
     * @throws IllegalStateException if it has gone back already, or is kept already
     */
    public abstract ProvidedBuffer keep();

    /**
     * Returns a kept buffer, once. The caller must not access it afterwards. May be called from any thread.
     *
     * @throws IllegalStateException if it is not kept. A second call is not detected if the buffer has been received
     *                               into and kept again in the meantime: then it takes the bytes away from their owner.
     */
    public abstract void release();
}
