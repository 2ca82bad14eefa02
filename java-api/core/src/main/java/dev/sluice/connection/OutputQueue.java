package dev.sluice.connection;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.handle.FileHandle;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What a {@link Connection} sends, in order. Bytes are sent at once where that is possible; the rest waits here. More
 * than the high watermark pauses the connection's own input until the low watermark is reached; more than the limit ends
 * the connection.
 *
 * <p>The methods that send may be called from any thread. They return false if the connection has ended; the bytes are
 * discarded then, since no caller can know in time. Failures of the network do not come out of them: they end the
 * connection, and {@link #endCause()} names them.
 */
public abstract class OutputQueue {

    /** For connections. */
    protected OutputQueue() {
    }

    /**
     * Sends all bytes of a buffer, which may be used again when this returns.
     *
     * @param bytes the bytes; its position moves to its limit
     * @return false if the connection has ended
     * @throws IllegalStateException if the program has closed the output before
     */
    public abstract boolean send(ByteBuffer bytes);

    /**
     * Sends a received buffer without copying it, and gives it back when it has been sent. To be called in the hook that
     * has received it.
     *
     * @param buffer sent from its position on; not the caller's any more
     * @return false if the connection has ended
     */
    public abstract boolean send(ProvidedBuffer buffer);

    /**
     * Sends a buffer without copying it.
     *
     * @param bytes    must not change until it is returned
     * @param returned run once when the bytes have been sent or discarded, by the loop thread; also if this returns false
     * @return false if the connection has ended
     */
    public abstract boolean send(ByteBuffer bytes, Runnable returned);

    /**
     * Sends a part of a file.
     *
     * @param file     held open until the part has been sent or discarded
     * @param position of the first byte in the file
     * @param count    the number of bytes; if the file ends sooner, the connection fails
     * @return false if the connection has ended
     */
    public abstract boolean send(FileHandle file, long position, long count);

    /**
     * Sets the watermarks; 128 KiB and 256 KiB unless set. For the loop thread.
     *
     * @param low  at most this many unsent bytes resume the input
     * @param high more unsent bytes than this pause it
     * @return this
     * @throws IllegalArgumentException unless 1 &lt;= low &lt;= high &lt;= limit
     */
    public abstract OutputQueue watermarks(int low, int high);

    /**
     * Sets how many bytes may be unsent; 16 MiB unless set. Beyond, the connection fails. For the loop thread.
     *
     * @param bytes at least the high watermark
     * @return this
     */
    public abstract OutputQueue limit(int bytes);

    /**
     * Pauses the input of another connection of the same loop instead of this queue's own, as in a proxy. For the loop
     * thread.
     *
     * @param input the other connection
     * @throws IllegalArgumentException if it is on another loop
     */
    public abstract void pauses(Connection input);

    /** Announces one {@link #reply}, which an orderly end waits for. May be called from any thread. */
    public abstract void expectReply();

    /**
     * Sends what was announced, as {@link #send(ByteBuffer)} does; accepted also after the output was closed.
     *
     * @param bytes the bytes
     * @return false if the connection has ended
     */
    public abstract boolean reply(ByteBuffer bytes);

    /** Shuts down the output when all has been sent: the peer then sees the end of the stream. */
    public abstract void shutdownWhenSent();

    /** As {@link Connection#closeWhenSent()}. */
    public abstract void closeWhenSent();

    /** {@return the number of bytes that wait here} */
    public abstract long unsentBytes();

    /** {@return whether more bytes wait here than the high watermark, or did and the low one has not been reached} */
    public abstract boolean isAboveHighWatermark();

    /** {@return why the connection ended; empty while it is open, and after an end without a failure} */
    public abstract Optional<Throwable> endCause();
}
