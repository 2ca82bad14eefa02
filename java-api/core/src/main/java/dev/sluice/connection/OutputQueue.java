package dev.sluice.connection;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.failure.MemoryShortage;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.FileHandle;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

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
 * <p>The protected methods are for the two kinds of connection of this library, and of no use to programs. Where the
 * system reports when a connection is ready, {@link #transmit} sends at once what the system takes; where the system
 * reports completions it starts one send, and {@link #transmitted} ends that.
 */
public abstract class OutputQueue {

    /** What {@link #transmit} returns if the system goes on sending until {@link #transmitted}. */
    protected static final long IN_FLIGHT = -2;
    /** What {@link #transmit} of a file returns if the file ends before the position. */
    protected static final long END_OF_FILE = -1;

    /** Calls in a row before other connections get their turn. */
    private static final int CALL_BUDGET = 16;

    private Connection connection;
    private final Pieces pieces = new Pieces();
    private final ForeignSends foreign = new ForeignSends();
    @SuppressWarnings("this-escape") // Only stored.
    private final Watermarks watermarks = new Watermarks(this);
    private final Closing closing = new Closing();
    /** Without an object for each call: there may be no memory. */
    @SuppressWarnings("this-escape") // Only stored.
    private final Runnable wakeOwner = this::wakeOwner;
    @SuppressWarnings("this-escape") // Only stored.
    private final Runnable wakeAfterOverrun = this::wakeAfterOverrun;

    // Of the owner

    private long sent;
    /** Whether nothing can be sent until {@link #writable()}. */
    private boolean full = true;
    /** Whether {@link #writable()} has been asked for. */
    private boolean awaitsSpace;
    private boolean flushing;

    /** How many queues have paused the input of this one's connection. Guarded by this. */
    private int pauses;
    /** Whether another thread has sent more than the limit. */
    private volatile boolean overrun;
    /** Whether another thread has sent something, and could not wake the owner for it. */
    private volatile boolean unwoken;

    /**
     * For connections.
     *
     * @param connection the one whose output it is; only stored
     */
    protected OutputQueue(Connection connection) {
        this.connection = connection;
    }

    // What depends on how bytes are sent. Called by the owner, except where it says otherwise

    /** {@return whether the caller is the owner: the loop thread, or the one of several that is inside a hook of it} */
    protected abstract boolean isOwner();

    /**
     * Makes the owner call {@link #serve()} soon. Called by other threads.
     *
     * @throws RejectedExecutionException if the loop is closed
     */
    protected abstract void wakeOwner();

    /** Makes the connection fail soon, since other threads have sent more than the limit. Called by one of these. */
    protected void wakeAfterOverrun() {
        wakeOwner();
    }

    /**
     * Sends what the system takes at once. Called while nothing waits.
     *
     * @param bytes the position advances by what is sent
     * @return whether bytes are sent at once at all; if not, they are queued, and {@link #transmit} is called
     * @throws IOException if the connection has failed
     */
    protected boolean sendNow(ByteBuffer bytes) throws IOException {
        return false;
    }

    /**
     * Sends the first bytes that wait.
     *
     * @param buffers the buffers; not changed until the send is over; their positions advance by what is sent
     * @param count   how many of them
     * @return how many bytes were sent, or {@link #IN_FLIGHT}
     * @throws IOException if the connection has failed
     */
    protected abstract long transmit(ByteBuffer[] buffers, int count) throws IOException;

    /**
     * Sends the first part of a file that waits.
     *
     * @param file     the file
     * @param position of the first byte
     * @param count    the number of bytes
     * @return how many bytes were sent, {@link #IN_FLIGHT} or {@link #END_OF_FILE}
     * @throws IOException if the connection or the file has failed
     */
    protected abstract long transmit(FileHandle file, long position, long count) throws IOException;

    /**
     * Bytes wait, and none are in flight: has {@link #writable()} called as soon as the system takes bytes, and as
     * often as it does. Where sends are in flight this is so only before the connection is established, and if
     * {@link #transmit} has thrown an error: then the owner tries again.
     *
     * @param waits false if it is not to be called any more
     */
    protected void awaitSpace(boolean waits) {
        if (waits) {
            wakeOwner();
        }
    }

    /** {@return what the connection must have in common with another one whose input it pauses} */
    protected Object eventLoop() {
        return connection.loop();
    }

    /** The input is to be left to the system. */
    protected abstract void pauseInput();

    /** Ends {@link #pauseInput()}. */
    protected abstract void resumeInput();

    /**
     * Ends the output: nothing is sent after that.
     *
     * @throws IOException if the connection has failed
     */
    protected abstract void shutdownOutput() throws IOException;

    /** Discards the input until its end, and ends the connection then or after 2 seconds. */
    protected abstract void linger();

    /**
     * Ends the connection, perhaps after the running hook; then {@link #ended} is called. Called once.
     *
     * @param cause why; null if both sides have ended their output
     */
    protected abstract void end(@Nullable Throwable cause);

    // What a connection notifies its queue of

    /** The connection is established. */
    protected final void established() {
        writable();
    }

    /** The system takes bytes again. */
    protected final void writable() {
        full = false;
        serve();
    }

    /** Sends what other threads have sent in the meantime, and goes on to the end if the output is to end. */
    protected final void serve() {
        StackReserve.requireForCall();
        try {
            takeForeign();
            flush();
        } catch (IOException | RuntimeException e) {
            // Such as a buffer whose memory has been freed: sending it once more would fail again.
            finish(e);
        }
    }

    /**
     * A send that was in flight is over; the positions of its buffers have advanced.
     *
     * @param bytes   how many bytes were sent
     * @param failure why not all; null if they were
     */
    protected final void transmitted(long bytes, @Nullable Throwable failure) {
        took(bytes);
        if (closing.isOver()) {
            pieces.discard();
        } else if (failure != null) {
            finish(failure);
        } else {
            serve();
        }
    }

    /**
     * The connection belongs to another object now.
     *
     * @param successor the one whose output it is
     */
    protected final void handOver(Connection successor) {
        connection = successor;
    }

    /** {@return whether {@link #writable()} is to be called} */
    protected final boolean isAwaitingSpace() {
        return awaitsSpace;
    }

    /** The peer sends no more. */
    protected final void inputEnded() {
        closing.inputEnded();
        if (closing.isOutputShutDown()) {
            finish(null);
        }
    }

    /** {@return whether the peer sends no more} */
    protected final boolean hasInputEnded() {
        return closing.hasInputEnded();
    }

    /** {@return whether what the peer sends is to be discarded, since the connection closes} */
    protected final boolean discardsInput() {
        return closing.discardsInput();
    }

    /** Closes the connection when all is sent, without making it a misuse to send more: for hooks by default. */
    protected final void closeByDefault() {
        endOutput(null, true);
    }

    /** The program closes the connection at once. Called by any thread, before the connection ends. */
    protected final void closing() {
        closing.begin("close()", true);
    }

    /**
     * The connection has ended. Discards what waits, and gives it back, as soon as no send is in flight.
     *
     * @param cause why, if that was not its failure or its orderly end; or null
     */
    protected final void ended(@Nullable Throwable cause) {
        closing.end(cause);
        giveBack(foreign.end());
        pieces.discard();
        watermarks.update(0);
    }

    /** {@return how many bytes the system has taken} */
    protected final long sentBytes() {
        return sent;
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
        return closing.isAccepting() ? push(LentBytes.copyOf(bytes)) : discard(bytes);
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
        if (!accepts("send")) {
            return false;
        }
        // Before the buffer is retained: nothing would give it back.
        StackReserve.requireForCall();
        return sendPiece(LentBytes.of(buffer));
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

    private boolean sendOwn(ByteBuffer bytes) {
        try {
            if (foreign.isEmpty() && pieces.isEmpty() && !full && isSentAtOnce(bytes)) {
                return true;
            }
            // If there is no stack or no memory, what has not been sent or copied remains in the buffer.
            StackReserve.requireForCall();
            takeForeign();
            int size = bytes.remaining();
            try {
                pieces.append(bytes);
            } finally {
                queued(size);
            }
            return !closing.isOver();
        } catch (IOException e) {
            finish(e);
            return discard(bytes);
        }
    }

    private boolean isSentAtOnce(ByteBuffer bytes) throws IOException {
        int size = bytes.remaining();
        if (sendNow(bytes)) {
            int left = bytes.remaining();
            sent += size - left;
            full = left > 0;
        }
        return !bytes.hasRemaining();
    }

    private boolean sendPiece(Piece piece) {
        if (!isOwner()) {
            return push(piece);
        }
        if (piece.remaining() == 0) {
            piece.giveBack();
            return true;
        }
        try {
            takeForeign();
        } catch (IOException e) {
            finish(e);
            piece.giveBack();
            return false;
        }
        pieces.add(piece);
        try {
            queued(piece.memory());
        } catch (IOException e) {
            finish(e);
        }
        return !closing.isOver();
    }

    private static boolean discard(ByteBuffer bytes) {
        bytes.position(bytes.limit());
        return false;
    }

    // Sending by other threads

    private boolean push(Piece piece) {
        if (isBeyondLimit(pieces.memory() + foreign.memory() + piece.memory(), piece.memory())) {
            overrun = true;
            piece.giveBack();
            wake(wakeAfterOverrun);
            return false;
        }
        Piece before = foreign.push(piece);
        if (before == piece) {
            piece.giveBack();
            return false;
        }
        if (before == null || unwoken) {
            boolean woken = false;
            try {
                wake(wakeOwner);
                woken = true;
            } finally {
                if (!woken) {
                    // Otherwise no other thread would wake it, since this is not the first piece for them.
                    unwoken = true;
                }
            }
        }
        return true;
    }

    private void wake(Runnable wakeUp) {
        try {
            MemoryShortage.retryUntilAvailable(wakeUp);
        } catch (RejectedExecutionException e) {
            // The loop is closed, and with it the connection ends.
            return;
        }
    }

    private void takeForeign() throws IOException {
        if (overrun) {
            throw beyondLimit();
        }
        if (!foreign.isEmpty()) {
            // Before they are taken: a wake-up that fails later is for a piece that may not be among them.
            unwoken = false;
            queue(foreign.take());
        }
    }

    private void queue(@Nullable Piece linked) {
        Piece next;
        for (Piece piece = linked; piece != null; piece = next) {
            next = piece.next;
            piece.next = null;
            if (piece.isReply) {
                closing.replied();
            }
            if (piece.remaining() == 0) {
                piece.giveBack();
            } else {
                pieces.add(piece);
            }
        }
    }

    private static void giveBack(@Nullable Piece linked) {
        Piece next;
        for (Piece piece = linked; piece != null; piece = next) {
            next = piece.next;
            piece.giveBack();
        }
    }

    // The pieces that wait

    private void queued(long added) throws IOException {
        if (isBeyondLimit(pieces.memory(), added)) {
            throw beyondLimit();
        }
        flush();
    }

    private void flush() throws IOException {
        if (flushing || closing.isOver()) {
            return;
        }
        boolean failed = true;
        flushing = true;
        try {
            int calls = 0;
            while (!full && !pieces.isEmpty() && !pieces.isInFlight() && calls++ < CALL_BUDGET) {
                transmitFirst();
            }
            failed = false;
        } finally {
            flushing = false;
            // To be asked for once more.
            awaitsSpace &= !failed;
            paceInputAndOutput();
        }
        if (pieces.isEmpty()) {
            proceedToEnd();
        }
    }

    private void paceInputAndOutput() {
        watermarks.update(pieces.bytes());
        boolean waits = !pieces.isEmpty() && !pieces.isInFlight();
        if (waits != awaitsSpace) {
            awaitsSpace = waits;
            awaitSpace(waits);
        }
    }

    private void transmitFirst() throws IOException {
        if (pieces.first() instanceof FilePart part) {
            transmitted(transmit(part.file, part.position(), part.remaining()), 1);
        } else {
            ByteBuffer[] buffers = pieces.gather();
            transmitted(transmit(buffers, pieces.gatheredCount()), pieces.gatheredCount());
        }
    }

    private void transmitted(long bytes, int count) throws IOException {
        if (bytes == IN_FLIGHT) {
            pieces.markInFlight(count);
        } else if (bytes == END_OF_FILE) {
            throw new EOFException("a file ends before the bytes that were to be sent: " + connection);
        } else {
            full = !took(bytes);
        }
    }

    /** {@return false if the system takes no more bytes for now} */
    private boolean took(long bytes) {
        sent += bytes;
        return pieces.sent(bytes);
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

    /** {@return whether bytes in memory are too many with the last ones added} The last may be that many alone. */
    private boolean isBeyondLimit(long bytes, long last) {
        return last > 0 && bytes > last && bytes > watermarks.limit();
    }

    final OutputLimitException beyondLimit() {
        return new OutputLimitException("more than " + watermarks.limit() + " bytes wait to be sent: " + connection);
    }

    /** {@return whether a queue has paused the input} Called under the lock of this. */
    final boolean isInputPaused() {
        return pauses > 0;
    }

    final synchronized void addPause() {
        if (pauses++ == 0 && !closing.isOver()) {
            pauseInput();
        }
    }

    final synchronized void removePause() {
        if (--pauses == 0 && !closing.isOver()) {
            resumeInput();
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
            return push(piece);
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

    private void endOutput(@Nullable String method, boolean close) {
        closing.begin(method, close);
        if (isOwner()) {
            serve();
        } else {
            wake(wakeOwner);
        }
    }

    /** All that was queued has been sent. */
    private void proceedToEnd() throws IOException {
        if (!full && closing.awaitsShutdown()) {
            Piece late = foreign.end();
            if (late != null) {
                queue(late);
                flush();
                return;
            }
            closing.outputShutDown();
            if (closing.hasInputEnded()) {
                finish(null);
                return;
            }
            shutdownOutput();
        }
        if (closing.beginsToLinger()) {
            linger();
        }
    }

    private void finish(@Nullable Throwable cause) {
        if (closing.end(cause)) {
            end(cause);
        }
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
