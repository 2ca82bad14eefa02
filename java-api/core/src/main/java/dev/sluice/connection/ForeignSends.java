package dev.sluice.connection;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What other threads than the owner send: a stack, which the owner takes as a whole. After its end nothing is accepted,
 * so that each piece is either taken or refused.
 */
final class ForeignSends {

    private static final Piece END = LentBytes.copyOf(ByteBuffer.allocate(0));

    private final AtomicReference<Piece> newest = new AtomicReference<>();
    private final AtomicLong memory = new AtomicLong();

    // Called by any thread

    /**
     * Adds a piece, unless this has ended.
     *
     * @return the piece that was the newest before, null if there was none; the piece itself if it was refused
     */
    @Nullable Piece push(Piece piece) {
        // The owner may take it at once.
        long size = piece.memory();
        memory.addAndGet(size);
        Piece before;
        do {
            before = newest.get();
            if (before == END) {
                memory.addAndGet(-size);
                piece.next = null;
                return piece;
            }
            piece.next = before;
        } while (!newest.compareAndSet(before, piece));
        return before;
    }

    /** {@return how many bytes in memory have not been taken} */
    long memory() {
        return memory.get();
    }

    // Called by the owner

    boolean isEmpty() {
        Piece piece = newest.get();
        return piece == null || piece == END;
    }

    /** {@return the oldest of the pieces, which are linked in their order; null if there is none} */
    @Nullable Piece take() {
        return isEmpty() ? null : oldestFirst(newest.getAndSet(null));
    }

    /**
     * Accepts nothing from now on.
     *
     * @return the last pieces, as {@link #take}
     */
    @Nullable Piece end() {
        Piece last = newest.getAndSet(END);
        return last == END ? null : oldestFirst(last);
    }

    private @Nullable Piece oldestFirst(@Nullable Piece taken) {
        Piece oldest = null;
        long sum = 0;
        for (Piece piece = taken; piece != null;) {
            Piece older = piece.next;
            piece.next = oldest;
            oldest = piece;
            sum += piece.memory();
            piece = older;
        }
        memory.addAndGet(-sum);
        return oldest;
    }
}
