package dev.sluice.connection;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The pieces of a queue, in the order in which they are sent. For the thread that owns the connection. */
final class Pieces {

    /** Maximum number of buffers in one call. */
    private static final int MAX_GATHERED = 16;
    private static final AtomicLongFieldUpdater<Pieces> MEMORY =
            AtomicLongFieldUpdater.newUpdater(Pieces.class, "memory");

    private @Nullable Piece first;
    private @Nullable Piece last;
    /** The last piece that the system is sending; null if it is sending none. */
    private @Nullable Piece lastInFlight;
    /** The bytes that lie in memory; other threads read it. */
    private volatile long memory;
    /** The bytes that lie in files. */
    private volatile long fileBytes;
    /** Made for the first piece that waits. */
    private ByteBuffer @Nullable [] gathered;
    private int gatheredCount;

    boolean isEmpty() {
        return first == null;
    }

    @Nullable Piece first() {
        return first;
    }

    long bytes() {
        return memory + fileBytes;
    }

    /** {@return the bytes that lie in memory} */
    long memory() {
        return memory;
    }

    boolean isInFlight() {
        return lastInFlight != null;
    }

    void add(Piece piece) {
        count(piece, piece.remaining());
        link(piece);
    }

    private void link(Piece piece) {
        if (last == null) {
            first = piece;
        } else {
            last.next = piece;
        }
        last = piece;
    }

    /** Only the owner writes the numbers. */
    private void count(Piece piece, long more) {
        if (piece.bytes == null) {
            fileBytes += more;
        } else {
            MEMORY.lazySet(this, memory + more);
        }
    }

    /** Copies all that remains of a buffer; if there is no memory for that, as much as there was. */
    void append(ByteBuffer source) {
        while (source.hasRemaining()) {
            Chunk chunk = lastWithSpace();
            if (chunk == null) {
                chunk = LoopBuffers.ofThread().takeChunk();
                link(chunk);
            }
            count(chunk, chunk.append(source));
        }
    }

    private @Nullable Chunk lastWithSpace() {
        return last instanceof Chunk chunk && last != lastInFlight && !chunk.isFull() ? chunk : null;
    }

    /** {@return the buffers of the first pieces; the same array each time} The first one is in a buffer. */
    ByteBuffer[] gather() {
        if (gathered == null) {
            gathered = new ByteBuffer[MAX_GATHERED];
        }
        gatheredCount = 0;
        Piece piece = first;
        while (gatheredCount < MAX_GATHERED && piece != null && piece.bytes != null) {
            gathered[gatheredCount++] = piece.bytes;
            piece = piece.next;
        }
        return gathered;
    }

    /** {@return the number of buffers gathered} */
    int gatheredCount() {
        return gatheredCount;
    }

    /** The system sends that many pieces, until {@link #sent}. */
    void markInFlight(int count) {
        Piece piece = first;
        for (int i = 1; i < count && piece != null; i++) {
            piece = piece.next;
        }
        lastInFlight = piece;
    }

    /**
     * Bytes of the first pieces have been sent; the positions of their buffers have advanced.
     *
     * @return false if the system took less than it was given; of a file any part may be all that it takes at a time
     */
    boolean sent(long count) {
        assert first != null;
        lastInFlight = null;
        count(first, -count);
        int given = gatheredCount;
        if (first instanceof FilePart part) {
            part.advance(count);
            given = count > 0 ? 0 : 1;
        } else {
            // An idle connection keeps no buffer alive.
            Arrays.fill(gathered, 0, given, null);
        }
        while (first != null && first.remaining() == 0) {
            given--;
            removeFirst().giveBack();
        }
        return given <= 0;
    }

    /** Discards all, unless the system is sending some of them. */
    void discard() {
        while (first != null && lastInFlight == null) {
            Piece piece = removeFirst();
            count(piece, -piece.remaining());
            piece.giveBack();
        }
        if (first == null) {
            // A send that has failed half-way has advanced its buffers, and says of no byte that it was sent.
            MEMORY.lazySet(this, 0);
            fileBytes = 0;
        }
    }

    private Piece removeFirst() {
        Piece removed = first;
        assert removed != null;
        first = removed.next;
        if (first == null) {
            last = null;
        }
        removed.next = null;
        return removed;
    }
}
