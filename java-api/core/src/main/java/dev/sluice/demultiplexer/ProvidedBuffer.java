package dev.sluice.demultiplexer;

import com.google.errorprone.annotations.CheckReturnValue;
import java.nio.ByteBuffer;

/**
 * A buffer of the demultiplexer with the bytes of a continuous receive. It is released when the hook that received it
 * has returned, at the latest when its thread waits again, unless it has been sent or {@linkplain #retain() retained}.
 *
 * <p>One connection may retain only a share of the buffers. When it has reached its share, which includes buffers that
 * its handler has not received yet, its continuous receive pauses until some are released. In the meantime the
 * connection is not read, and no data is lost. So if received buffers are sent back to the peer, a peer that does not
 * read delays only itself. A few more buffers may arrive before the receive pauses.
 *
 * <p>The memory belongs to the demultiplexer, whose close frees all of it, including retained buffers. It must not be
 * in use then, for example by a send on another demultiplexer that is still in flight.
 */
public abstract class ProvidedBuffer {

    /** For demultiplexers. */
    protected ProvidedBuffer() {
    }

    /**
     * {@return the received bytes, from position to limit; direct, and the same object until the buffer is released}
     *
     * @throws IllegalStateException if it has been released, retained or sent
     */
    public abstract ByteBuffer bytes();

    /**
     * Makes the caller the owner of the buffer. Called by the thread that collected the completion, inside the hook for
     * it.
     *
     * @return the buffer with the same bytes, which the caller must close or send
     * @throws IllegalStateException if the buffer has been released, retained or sent
     */
    @CheckReturnValue
    public abstract RetainedBuffer retain();
}
