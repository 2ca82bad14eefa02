package dev.sluice.demultiplexer;

import com.google.errorprone.annotations.CheckReturnValue;
import java.nio.ByteBuffer;

/**
 * A buffer of the demultiplexer that a continuous receive has put bytes into. It goes back when the hook that received
 * it has returned, at the latest when its thread waits again, unless it has been sent or {@linkplain #retain()
 * retained}.
 *
 * <p>One connection may retain only a share of the buffers. When it retains that many, counting those on their way to
 * its handler, its continuous receive pauses until some are back, and its peer sees a connection that is not being
 * read; nothing is lost. So where the buffers that a peer has filled are sent back to it, a peer that does not read
 * delays only itself. A few more buffers may arrive before the receive pauses.
 *
 * <p>The memory is the demultiplexer's, and its close frees all of it, also what is retained. So nothing may use it
 * then, such as a send on another demultiplexer that is still in flight.
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
}
