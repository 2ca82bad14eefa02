package dev.sluice.connection;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The pieces of a queue, in the order in which they are sent. Accessed by the owner of the connection. */
final class Pieces {

    /** Maximum number of buffers in one call. */
    private static final int MAX_GATHERED = 16;
    private static final AtomicLongFieldUpdater<Pieces> MEMORY =
            AtomicLongFieldUpdater.newUpdater(Pieces.class, "memory");

    private @Nullable Piece first;
    private @Nullable Piece last;
    /** The last piece that the system is sending; null if it is sending none. */
    private @Nullable Piece lastInFlight;
    /** Number of bytes in memory; read by other threads. */
    private volatile long memory;
    /** Number of bytes in files. */
    private volatile long fileBytes;
    /** The array for {@link #gather()}; allocated at its first call. */
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

    /** {@return the number of bytes in memory} */
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

    /** Adds to the number of bytes, which only the owner writes. */
    private void count(Piece piece, long more) {
        if (piece.bytes == null) {
            fileBytes += more;
        } else {
            MEMORY.lazySet(this, memory + more);
        }
    }

    /**
     * Copies the remaining bytes of a buffer. If there is no memory for all of them, the position advances by those
     * copied.
     */
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

    /** {@return the buffers of the first pieces; the same array each time} The first piece must have a buffer. */
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

    /** Records that the given number of pieces are in flight, until {@link #sent}. */
    void markInFlight(int count) {
        Piece piece = first;
        for (int i = 1; i < count && piece != null; i++) {
            piece = piece.next;
        }
        lastInFlight = piece;
    }

    /**
     * Records that bytes of the first pieces have been sent; the positions of their buffers have advanced.
     *
     * @return false if the system has accepted less than it was given; for a file, true if any bytes were sent
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
            // Cleared, so that an idle connection does not keep buffers reachable.
            Arrays.fill(gathered, 0, given, null);
        }
        while (first != null && first.remaining() == 0) {
            given--;
            removeFirst().release();
        }
        return given <= 0;
    }

    /** Discards all pieces, unless some are in flight. */
    void discard() {
        while (first != null && lastInFlight == null) {
            Piece piece = removeFirst();
            count(piece, -piece.remaining());
            piece.release();
        }
        if (first == null) {
            // A send that has failed partway has advanced its buffers without reporting the number of bytes.
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
