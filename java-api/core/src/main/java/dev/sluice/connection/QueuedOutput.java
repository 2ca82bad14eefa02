package dev.sluice.connection;

import dev.sluice.failure.StackReserve;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The transfer of queued output to the system: immediately if possible, then whenever the system accepts bytes, and
 * finally the end of the output. Called by the owner, unless specified otherwise.
 */
abstract class QueuedOutput extends OutputTransport {

    /** Maximum number of consecutive calls, for fairness to other connections. */
    private static final int CALL_BUDGET = 16;

    final Pieces pieces = new Pieces();
    @SuppressWarnings("this-escape") // Only stored.
    final CrossThreadSends crossThread = new CrossThreadSends(this);
    @SuppressWarnings("this-escape") // Only stored.
    final Watermarks watermarks = new Watermarks(this);
    final Closing closing = new Closing();
    private long sent;
    /** Whether no bytes can be sent until {@link #writable()}. */
    private boolean full = true;
    /** Whether {@link #awaitSpace} has been called with true. */
    private boolean awaitsSpace;
    private boolean flushing;
    /** Number of queues that have paused the input of this one's connection. Guarded by this. */
    private int pauses;

    QueuedOutput(Connection connection) {
        super(connection);
    }

    // Called by the connection

    /** Called when the connection is established. */
    protected final void established() {
        writable();
    }

    /** Called when the system accepts bytes again. */
    protected final void writable() {
        full = false;
        serve();
    }

    /** Sends data of other threads, and proceeds to the end if the output must end. */
    protected final void serve() {
        StackReserve.requireForCall();
        proceed();
    }

    private void proceed() {
        try {
            takeCrossThread();
            flush();
        } catch (IOException | RuntimeException e) {
            // For example, for a buffer whose memory has been freed: a further attempt would fail again.
            finish(e);
        }
    }

    /**
     * Called when a send that was in flight is over; the positions of its buffers have advanced. The failure is null if
     * all bytes were sent.
     */
    protected final void transmitted(long bytes, @Nullable Throwable failure) {
        recordSent(bytes);
        if (closing.isOver()) {
            pieces.discard();
        } else if (failure != null) {
            finish(failure);
        } else {
            // The loop has checked for stack before its wait.
            proceed();
        }
    }

    /** Replaces the object of the connection. */
    protected final void handOver(Connection successor) {
        connection = successor;
    }

    /** {@return whether {@link #writable()} must be called when the system accepts bytes} */
    protected final boolean isAwaitingSpace() {
        return awaitsSpace;
    }

    /** Called at the end of the input. */
    protected final void inputEnded() {
        closing.inputEnded();
        if (closing.isOutputShutDown()) {
            finish(null);
        }
    }

    /** {@return whether the input has ended} */
    protected final boolean hasInputEnded() {
        return closing.hasInputEnded();
    }

    /** {@return whether input is discarded, because the connection is closing} */
    protected final boolean discardsInput() {
        return closing.discardsInput();
    }

    /**
     * Closes the connection when all data has been sent. Unlike after {@link Connection#closeWhenSent()}, sending more
     * is not an error. For the default implementations of hooks.
     */
    protected final void closeByDefault() {
        endOutput(null, true);
    }

    /** Called by any thread when the program closes the connection immediately, before the connection ends. */
    protected final void closing() {
        closing.begin("close()", true);
    }

    /** Called when the connection has ended. Discards and releases the queued data as soon as no send is in flight. */
    protected final void ended(@Nullable Throwable cause) {
        closing.end(cause);
        crossThread.discard();
        pieces.discard();
        watermarks.update(0);
    }

    /** {@return the number of bytes that the system has accepted} */
    protected final long sentBytes() {
        return sent;
    }

    // Sending

    /** Sends or copies bytes. Returns false if the connection has ended. */
    final boolean sendOwn(ByteBuffer bytes) {
        try {
            if (crossThread.isEmpty() && pieces.isEmpty() && !full && isSentAtOnce(bytes)) {
                return true;
            }
            // If there is no stack or no memory, bytes that have not been sent or copied remain in the buffer.
            StackReserve.requireForCall();
            takeCrossThread();
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

    /** Sends or queues a piece. Called by any thread. Returns false if the connection has ended. */
    final boolean sendPiece(Piece piece) {
        if (!isOwner()) {
            return crossThread.send(piece);
        }
        if (piece.remaining() == 0) {
            piece.release();
            return true;
        }
        try {
            takeCrossThread();
        } catch (IOException e) {
            finish(e);
            piece.release();
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

    private void takeCrossThread() throws IOException {
        if (crossThread.hasOverrun()) {
            throw beyondLimit();
        }
        if (!crossThread.isEmpty()) {
            queue(crossThread.take());
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
                piece.release();
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
            // After a failure, awaitSpace must be called again.
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
            full = !recordSent(bytes);
        }
    }

    /** Records sent bytes. Returns false if the system accepts no more bytes for now. */
    private boolean recordSent(long bytes) {
        sent += bytes;
        return pieces.sent(bytes);
    }

    final OutputLimitException beyondLimit() {
        return new OutputLimitException("more than " + watermarks.limit() + " bytes wait to be sent: " + connection);
    }

    // The input

    /** {@return whether a queue has paused the input} Called under the lock of this object. */
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

    // Closing

    /**
     * Ends the output when all data has been sent. Called by any thread; the method is null for calls of the library.
     */
    final void endOutput(@Nullable String method, boolean close) {
        closing.begin(method, close);
        if (isOwner()) {
            serve();
        } else {
            crossThread.wakeOwner();
        }
    }

    /** Called when all queued data has been sent. Shuts down the output, or begins to linger, if that is due. */
    private void proceedToEnd() throws IOException {
        if (!full && closing.awaitsShutdown()) {
            Piece late = crossThread.end();
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
