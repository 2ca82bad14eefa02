package dev.sluice.demultiplexer;

import java.nio.ByteBuffer;

/**
 * A buffer of the demultiplexer's that a continuous receive has put bytes into. It goes back when the
 * {@link Completions} that brought it are waited with again, cleared or closed, unless it has been kept; whoever keeps
 * it must release it, or continuous receives come to wait for buffers one day.
 *
 * <p>One connection may keep a share of the buffers only. When it keeps as many as that, or they are on their way to
 * its handler, its continuous receive pauses until some are back, and its peer sees a connection that is not read;
 * nothing is lost. So a peer that does not take what it is sent, out of buffers it has filled, is held up alone. A few
 * more may come before the receive knows.
 */
public abstract class ProvidedBuffer {

    /** For demultiplexers. */
    protected ProvidedBuffer() {
    }

    /** {@return the received bytes, from position to limit; direct, and the same object as long as it is not back} */
    public abstract ByteBuffer buffer();

    /**
     * Keeps the bytes beyond the next wait. By the thread that got the completion, before it waits again with the same
     * {@link Completions}.
     *
     * @return this buffer
     * @throws IllegalStateException if it has gone back already, or is kept already
     */
    public abstract ProvidedBuffer keep();

    /**
     * Gives a kept buffer back; nobody may touch it after that. From any thread.
     *
     * @throws IllegalStateException if it is not kept
     */
    public abstract void release();
}
