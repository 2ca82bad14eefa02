package dev.sluice.connection;

import dev.sluice.failure.StackReserve;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a connection sends, on its way from the queue to the system: at once where that is possible, then as often as
 * the system takes bytes, and then to the end of the output. For the owner, except where it says otherwise.
 */
abstract class QueuedOutput extends OutputTransport {

    /** Calls in a row before other connections get their turn. */
    private static final int CALL_BUDGET = 16;

    final Pieces pieces = new Pieces();
    @SuppressWarnings("this-escape") // Only stored.
    final ForeignSends foreign = new ForeignSends(this);
    @SuppressWarnings("this-escape") // Only stored.
    final Watermarks watermarks = new Watermarks(this);
    final Closing closing = new Closing();
    private long sent;
    /** Whether nothing can be sent until {@link #writable()}. */
    private boolean full = true;
    /** Whether {@link #writable()} has been asked for. */
    private boolean awaitsSpace;
    private boolean flushing;
    /** Number of queues that have paused the input of this one's connection. Guarded by this. */
    private int pauses;

    QueuedOutput(Connection connection) {
        super(connection);
    }

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
        proceed();
    }

    private void proceed() {
        try {
            takeForeign();
            flush();
        } catch (IOException | RuntimeException e) {
            // Such as a buffer whose memory has been freed: sending it once more would fail again.
            finish(e);
        }
    }

    /** A send that was in flight is over; the positions of its buffers have advanced. The failure says why not all. */
    protected final void transmitted(long bytes, @Nullable Throwable failure) {
        took(bytes);
        if (closing.isOver()) {
            pieces.discard();
        } else if (failure != null) {
            finish(failure);
        } else {
            // The loop has asked for stack before its wait.
            proceed();
        }
    }

    /** The connection belongs to another object now. */
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

    /** The connection has ended. Discards what waits, and gives it back, as soon as no send is in flight. */
    protected final void ended(@Nullable Throwable cause) {
        closing.end(cause);
        foreign.discard();
        pieces.discard();
        watermarks.update(0);
    }

    /** {@return the number of bytes that the system has taken} */
    protected final long sentBytes() {
        return sent;
    }

    // Sending

    /** {@return whether bytes were sent, or copied to be sent later; false if the connection has ended} */
    final boolean sendOwn(ByteBuffer bytes) {
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

    static boolean discard(ByteBuffer bytes) {
        bytes.position(bytes.limit());
        return false;
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

    /** {@return whether a piece was sent, or will be; false if the connection has ended} Called by any thread. */
    final boolean sendPiece(Piece piece) {
        if (!isOwner()) {
            return foreign.send(piece);
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

    private void takeForeign() throws IOException {
        if (foreign.hasOverrun()) {
            throw beyondLimit();
        }
        if (!foreign.isEmpty()) {
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

    private void queued(long added) throws IOException {
        if (watermarks.isBeyondLimit(pieces.memory(), added)) {
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

    final OutputLimitException beyondLimit() {
        return new OutputLimitException("more than " + watermarks.limit() + " bytes wait to be sent: " + connection);
    }

    // The input

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

    /** Ends the output when all has been sent. By any thread; the method is null for the library's own. */
    final void endOutput(@Nullable String method, boolean close) {
        closing.begin(method, close);
        if (isOwner()) {
            serve();
        } else {
            foreign.wakeOwner();
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
}
