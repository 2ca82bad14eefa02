package dev.sluice.connection;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.FileHandle;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The output of a {@link Connection}, in order. Bytes are sent immediately if possible; the rest is queued. If the
 * queue exceeds the high watermark, the connection's own input is paused until the low watermark is reached; if it
 * exceeds the limit, the connection ends.
 *
 * <p>The methods that send may be called from any thread. If the connection has ended, they discard the bytes and
 * return false, because a caller cannot avoid that. They do not throw exceptions for network failures, which end the
 * connection; {@link #endCause()} returns them.
 *
 * <p>The thread that calls the hooks of the connection is its <i>owner</i>. Data of other threads is copied or passed
 * to the owner, which sends it in its next iteration, in the order of the calls of each thread.
 *
 * <p>Protected methods are for the two types of connections of this library, not for programs.
 */
public abstract class OutputQueue extends QueuedOutput {

    /** Creates the queue of a connection, which is only stored. */
    protected OutputQueue(Connection connection) {
        super(connection);
    }

    // Sending

    /**
     * Sends all bytes of a buffer, which may be reused when this method returns.
     *
     * @param bytes the bytes; its position is set to its limit
     * @return false if the connection has ended
     * @throws IllegalStateException if the program has already ended the output, and the caller is the owner
     */
    public final boolean send(ByteBuffer bytes) {
        if (isOwner()) {
            return closing.accepts("send", connection) ? sendOwn(bytes) : discard(bytes);
        }
        // No call may fail for lack of stack between the push and the wake-up.
        StackReserve.requireForCall();
        return closing.isAccepting() ? crossThread.send(LentBytes.copyOf(bytes)) : discard(bytes);
    }

    /**
     * Sends a received buffer without copying it, and releases it when it has been sent. Called in the hook that has
     * received it.
     *
     * @param buffer the buffer, sent from its position on; no longer owned by the caller
     * @return false if the connection has ended
     * @throws IllegalStateException as {@link #send(ByteBuffer)}
     */
    public final boolean send(ProvidedBuffer buffer) {
        return accepts("send") && sendPiece(LentBytes.of(buffer));
    }

    /**
     * Sends a received buffer that the program has retained, and closes it when it has been sent or discarded.
     *
     * @param buffer the buffer, sent from its position on; no longer owned by the caller, even if this returns false
     * @return false if the connection has ended
     * @throws IllegalStateException as {@link #send(ByteBuffer)}; the caller still owns the buffer
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
     * @param bytes    the buffer, which must not be changed until {@code returned} has been run
     * @param returned run once when the bytes have been sent or discarded, by the owner, or by the caller before this
     *                 method returns; also if this returns false, but not if it throws
     * @return false if the connection has ended
     * @throws IllegalStateException as {@link #send(ByteBuffer)}
     */
    public final boolean send(ByteBuffer bytes, Runnable returned) {
        if (accepts("send")) {
            return sendPiece(LentBytes.of(bytes, returned));
        }
        Piece.release(returned);
        return false;
    }

    /**
     * Sends a part of a file.
     *
     * @param file     the file, which must stay open until {@code returned} has been run
     * @param position the position of the first byte in the file
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
        Piece.release(returned);
        return false;
    }

    private boolean accepts(String method) {
        // Before a buffer is retained, linked or pushed.
        StackReserve.requireForCall();
        return isOwner() ? closing.accepts(method, connection) : closing.isAccepting();
    }

    // Limits

    /**
     * Sets the watermarks. The defaults are 128 KiB and 256 KiB. Called by the owner.
     *
     * @param low  the number of unsent bytes at which the input is resumed
     * @param high the number of unsent bytes above which the input is paused
     * @return this queue
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
     * Sets the maximum number of unsent bytes. The default is 16 MiB. If it is exceeded, the connection fails with an
     * {@link OutputLimitException}, but a single send may be larger. Files do not count. Called by the owner.
     *
     * @param bytes the limit, at least the high watermark
     * @return this queue
     * @throws IllegalArgumentException if it is below the high watermark
     * @throws IllegalStateException    if the caller is not the owner
     */
    public final OutputQueue limit(int bytes) {
        requireOwner("limit");
        watermarks.limit(bytes);
        return this;
    }

    /**
     * Makes this queue pause the input of another connection of the same loop instead of its own, as in a proxy. Called
     * by the owner.
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

    // Closing

    /** Announces a {@link #reply}, for which an orderly end waits. May be called from any thread. */
    public final void expectReply() {
        closing.expectReply();
    }

    /**
     * Sends an announced reply, as {@link #send(ByteBuffer)} does, but even after the output was ended. May be called
     * from any thread.
     *
     * @param bytes the bytes
     * @return false if the connection has ended
     * @throws IllegalStateException if no reply is announced, or all have been sent
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
            return crossThread.send(piece);
        }
        boolean accepted = sendOwn(bytes);
        closing.replied();
        serve();
        return accepted;
    }

    /**
     * Shuts down the output when all data has been sent: the peer then receives the end of the stream. May be called
     * from any thread.
     */
    public final void shutdownWhenSent() {
        endOutput("shutdownWhenSent()", false);
    }

    /** As {@link Connection#closeWhenSent()}. */
    public final void closeWhenSent() {
        endOutput("closeWhenSent()", true);
    }

    /** {@return the number of queued bytes} */
    public final long unsentBytes() {
        return pieces.bytes() + crossThread.memory();
    }

    /** {@return whether the high watermark has been exceeded, and the low watermark has not been reached since} */
    public final boolean isAboveHighWatermark() {
        return watermarks.isAbove();
    }

    /** {@return the failure that ended the connection; empty while it is open, and after an end without a failure} */
    public final Optional<Throwable> endCause() {
        return Optional.ofNullable(closing.cause());
    }
}
