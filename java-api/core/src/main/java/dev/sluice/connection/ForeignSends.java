package dev.sluice.connection;

import dev.sluice.failure.MemoryShortage;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What other threads than the owner send: a stack, which the owner takes as a whole, woken for it. After its end
 * nothing is accepted, so that each piece is either taken or refused.
 */
final class ForeignSends {

    private static final Piece END = LentBytes.copyOf(ByteBuffer.allocate(0));

    private final AtomicReference<Piece> newest = new AtomicReference<>();
    private final AtomicLong memory = new AtomicLong();
    private final QueuedOutput queue;
    /** Without an object for each call: there may be no memory. */
    private final Runnable wakeOwner;
    private final Runnable wakeAfterOverrun;
    /** Whether more than the limit has been sent. */
    private volatile boolean overrun;
    /** Whether something has been sent, and the owner could not be woken for it. */
    private volatile boolean unwoken;

    ForeignSends(QueuedOutput queue) {
        this.queue = queue;
        this.wakeOwner = queue::wakeOwner;
        this.wakeAfterOverrun = queue::wakeAfterOverrun;
    }

    // Called by any thread

    /** {@return whether a piece will be sent; false if the connection has ended, and it has been given back} */
    boolean send(Piece piece) {
        long size = piece.memory();
        if (queue.watermarks.isBeyondLimit(queue.pieces.memory() + memory() + size, size)) {
            overrun = true;
            piece.giveBack();
            wake(wakeAfterOverrun);
            return false;
        }
        Piece before = push(piece);
        if (before == piece) {
            piece.giveBack();
            return false;
        }
        if (before == null || unwoken) {
            boolean woken = false;
            try {
                wakeOwner();
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

    void wakeOwner() {
        wake(wakeOwner);
    }

    private static void wake(Runnable wakeUp) {
        try {
            MemoryShortage.retryUntilAvailable(wakeUp);
        } catch (RejectedExecutionException e) {
            // The loop is closed, and with it the connection ends.
            return;
        }
    }

    /**
     * Adds a piece, unless this has ended.
     *
     * @return the piece that was the newest before, null if there was none; the piece itself if it was refused
     */
    private @Nullable Piece push(Piece piece) {
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

    /** {@return the number of bytes in memory that have not been taken} */
    long memory() {
        return memory.get();
    }

    // Called by the owner

    boolean isEmpty() {
        Piece piece = newest.get();
        return piece == null || piece == END;
    }

    /** {@return whether the connection has to fail, since more than the limit has been sent} */
    boolean hasOverrun() {
        return overrun;
    }

    /** {@return the oldest of the pieces, which are linked in their order; there is one} */
    @Nullable Piece take() {
        // Before they are taken: a wake-up that fails later is for a piece that may not be among them.
        unwoken = false;
        return oldestFirst(newest.getAndSet(null));
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

    /** Accepts nothing from now on, and gives back the last pieces. */
    void discard() {
        Piece next;
        for (Piece piece = end(); piece != null; piece = next) {
            next = piece.next;
            piece.giveBack();
        }
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
