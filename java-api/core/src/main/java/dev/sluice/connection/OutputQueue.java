package dev.sluice.connection;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.FileHandle;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What a {@link Connection} sends, in order. Bytes are sent at once where that is possible; the rest waits here. More
 * than the high watermark pauses the connection's own input until the low watermark is reached; more than the limit
 * ends the connection.
 *
 * <p>The methods that send may be called from any thread. They return false if the connection has ended; the bytes are
 * discarded then, since no caller can know in time. Failures of the network do not come out of them: they end the
 * connection, and {@link #endCause()} names them.
 *
 * <p>The thread that calls the hooks of the connection is its <i>owner</i>. What other threads send is copied or handed
 * over, and the owner sends it with its next iteration, in the order of the calls of each thread.
 *
 * <p>The protected methods are for the two kinds of connection of this library, and of no use to programs.
 */
public abstract class OutputQueue extends QueuedOutput {

    /** For a connection, which is only stored. */
    protected OutputQueue(Connection connection) {
        super(connection);
    }

    // Sending

    /**
     * Sends all bytes of a buffer, which may be used again when this returns.
     *
     * @param bytes the bytes; its position moves to its limit
     * @return false if the connection has ended
     * @throws IllegalStateException if the program has ended the output before, and the caller is the owner
     */
    public final boolean send(ByteBuffer bytes) {
        if (isOwner()) {
            return closing.accepts("send", connection) ? sendOwn(bytes) : discard(bytes);
        }
        // Nothing must fail between the push and the wake-up.
        StackReserve.requireForCall();
        return closing.isAccepting() ? foreign.send(LentBytes.copyOf(bytes)) : discard(bytes);
    }

    /**
     * Sends a received buffer without copying it, and gives it back when it has been sent. To be called in the hook
     * that has received it.
     *
     * @param buffer sent from its position on; not the caller's any more
     * @return false if the connection has ended
     * @throws IllegalStateException as {@link #send(ByteBuffer)}
     */
    public final boolean send(ProvidedBuffer buffer) {
        return accepts("send") && sendPiece(LentBytes.of(buffer));
    }

    /**
     * Sends a received buffer that the program has retained, and closes it when it has been sent or discarded.
     *
     * @param buffer sent from its position on; not the caller's any more, also if this returns false
     * @return false if the connection has ended
     * @throws IllegalStateException as {@link #send(ByteBuffer)}; the buffer is still the caller's
     */
    public final boolean send(RetainedBuffer buffer) {
        if (accepts("send")) {
            return sendPiece(LentBytes.of(buffer));
        }
        buffer.close();
        return false;
    }

    /**
     * Sends a buffer without copying it.
     *
     * @param bytes    must not change until it is returned
     * @param returned run once when the bytes have been sent or discarded, by the owner, or by the caller before this
     *                 returns; also if this returns false, but not if it throws
     * @return false if the connection has ended
     * @throws IllegalStateException as {@link #send(ByteBuffer)}
     */
    public final boolean send(ByteBuffer bytes, Runnable returned) {
        if (accepts("send")) {
            return sendPiece(LentBytes.of(bytes, returned));
        }
        Piece.giveBack(returned);
        return false;
    }

    /**
     * Sends a part of a file.
     *
     * @param file     to be kept open until it is returned
     * @param position of the first byte in the file
     * @param count    the number of bytes; if the file ends sooner, the connection fails
     * @param returned as for {@link #send(ByteBuffer, Runnable)}; {@code file::close} for a file that is sent once
     * @return false if the connection has ended
     * @throws IllegalArgumentException if the position or count is negative
     * @throws IllegalStateException    as {@link #send(ByteBuffer)}
     */
    public final boolean send(FileHandle file, long position, long count, Runnable returned) {
        if (position < 0 || count < 0) {
            throw new IllegalArgumentException("position " + position + ", count " + count);
        }
        if (accepts("send")) {
            return sendPiece(new FilePart(file, position, count, returned));
        }
        Piece.giveBack(returned);
        return false;
    }

    private boolean accepts(String method) {
        // Before something is retained, linked or pushed.
        StackReserve.requireForCall();
        return isOwner() ? closing.accepts(method, connection) : closing.isAccepting();
    }

    // Limits

    /**
     * Sets the watermarks; 128 KiB and 256 KiB unless set. For the owner.
     *
     * @param low  at most this many unsent bytes resume the input
     * @param high more unsent bytes than this pause it
     * @return this
     * @throws IllegalArgumentException unless 1 &lt;= low &lt;= high &lt;= limit
     * @throws IllegalStateException    if the caller is not the owner
     */
    public final OutputQueue watermarks(int low, int high) {
        requireOwner("watermarks");
        watermarks.set(low, high);
        watermarks.update(pieces.bytes());
        return this;
    }

    /**
     * Sets how many bytes may be unsent; 16 MiB unless set. Beyond, the connection fails with an
     * {@link OutputLimitException}, except that a single send may be larger. Files do not count. For the owner.
     *
     * @param bytes at least the high watermark
     * @return this
     * @throws IllegalArgumentException if it is below the high watermark
     * @throws IllegalStateException    if the caller is not the owner
     */
    public final OutputQueue limit(int bytes) {
        requireOwner("limit");
        watermarks.limit(bytes);
        return this;
    }

    /**
     * Pauses the input of another connection of the same loop instead of this queue's own, as in a proxy. For the
     * owner.
     *
     * @param input the other connection
     * @throws IllegalArgumentException if it is on another loop
     * @throws IllegalStateException    if the caller is not the owner
     */
    public final void pauses(Connection input) {
        requireOwner("pauses");
        if (input.output().eventLoop() != eventLoop()) {
            throw new IllegalArgumentException("pauses: both connections must be on one loop; connect with the loop of "
                    + "the accepted one: " + connection + ", " + input);
        }
        watermarks.pause(input.output());
    }

    private void requireOwner(String method) {
        if (!isOwner()) {
            throw new IllegalStateException(method + ": only the thread that calls the hooks may call this, and not "
                    + Thread.currentThread().getName() + "; use loop().execute(...): " + connection);
        }
    }

    // The end

    /** Announces one {@link #reply}, which an orderly end waits for. May be called from any thread. */
    public final void expectReply() {
        closing.expectReply();
    }

    /**
     * Sends what was announced, as {@link #send(ByteBuffer)} does; accepted also after the output was ended. May be
     * called from any thread.
     *
     * @param bytes the bytes
     * @return false if the connection has ended
     * @throws IllegalStateException if no reply was announced, or all have come
     */
    public final boolean reply(ByteBuffer bytes) {
        if (closing.isOver()) {
            return discard(bytes);
        }
        if (!closing.expectsReply()) {
            throw new IllegalStateException("reply: none is announced; call expectReply() first: " + connection);
        }
        if (!isOwner()) {
            StackReserve.requireForCall();
            Piece piece = LentBytes.copyOf(bytes);
            piece.isReply = true;
            return foreign.send(piece);
        }
        boolean accepted = sendOwn(bytes);
        closing.replied();
        serve();
        return accepted;
    }

    /** Shuts down the output when all has been sent: the peer then sees the end of the stream. For any thread. */
    public final void shutdownWhenSent() {
        endOutput("shutdownWhenSent()", false);
    }

    /** As {@link Connection#closeWhenSent()}. */
    public final void closeWhenSent() {
        endOutput("closeWhenSent()", true);
    }

    /** {@return the number of bytes that wait here} */
    public final long unsentBytes() {
        return pieces.bytes() + foreign.memory();
    }

    /** {@return whether more bytes wait here than the high watermark, or did and the low one has not been reached} */
    public final boolean isAboveHighWatermark() {
        return watermarks.isAbove();
    }

    /** {@return why the connection ended; empty while it is open, and after an end without a failure} */
    public final Optional<Throwable> endCause() {
        return Optional.ofNullable(closing.cause());
    }
}
