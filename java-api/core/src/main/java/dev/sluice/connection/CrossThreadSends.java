package dev.sluice.connection;

import dev.sluice.failure.OutOfMemoryRetry;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Data sent by threads other than the owner: a stack of pieces, which the owner, woken up for the first of them, takes
 * as a whole. After the end no piece is accepted, so each is either taken or rejected.
 */
final class CrossThreadSends {

    private static final Piece END = LentBytes.copyOf(ByteBuffer.allocate(0));

    private final AtomicReference<Piece> newest = new AtomicReference<>();
    private final AtomicLong memory = new AtomicLong();
    private final QueuedOutput queue;
    /** Wakes up the owner. Kept as an object, because there may be no memory for each call. */
    private final Runnable wakeOwner;
    private final Runnable wakeAfterOverrun;
    /** Whether the limit has been exceeded. */
    private volatile boolean overrun;
    /** Whether the owner could not be woken up for a piece. */
    private volatile boolean wakeUpFailed;

    CrossThreadSends(QueuedOutput queue) {
        this.queue = queue;
        this.wakeOwner = queue::wakeOwner;
        this.wakeAfterOverrun = queue::wakeAfterOverrun;
    }

    // Called by any thread

    /**
     * Adds a piece. Returns whether it will be sent; false if the connection has ended, and the piece has been
     * released.
     */
    boolean send(Piece piece) {
        long size = piece.memory();
        if (queue.watermarks.isBeyondLimit(queue.pieces.memory() + memory() + size, size)) {
            overrun = true;
            piece.release();
            wake(wakeAfterOverrun);
            return false;
        }
        Piece before = push(piece);
        if (before == piece) {
            piece.release();
            return false;
        }
        if (before == null || wakeUpFailed) {
            boolean woken = false;
            try {
                wakeOwner();
                woken = true;
            } finally {
                if (!woken) {
                    // Makes the next caller wake it up, for which its piece would not be the first one otherwise.
                    wakeUpFailed = true;
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
            OutOfMemoryRetry.retryUntilAvailable(wakeUp);
        } catch (RejectedExecutionException e) {
            // The loop is closed, which ends the connection.
            return;
        }
    }

    /**
     * Adds a piece, unless this has ended.
     *
     * @return the previous newest piece, null if there was none; the piece itself if it was rejected
     */
    private @Nullable Piece push(Piece piece) {
        // Computed before the push, because the owner may take the piece immediately.
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

    /** {@return the number of bytes in memory that the owner has not taken} */
    long memory() {
        return memory.get();
    }

    // Called by the owner

    boolean isEmpty() {
        Piece piece = newest.get();
        return piece == null || piece == END;
    }

    /** {@return whether the connection must fail because the limit has been exceeded} */
    boolean hasOverrun() {
        return overrun;
    }

    /** {@return the oldest of the pieces, which are linked in order; there is at least one} */
    @Nullable Piece take() {
        // Before they are taken, because a wake-up that fails later may be for a piece that is not among them.
        wakeUpFailed = false;
        return oldestFirst(newest.getAndSet(null));
    }

    /**
     * Rejects further pieces.
     *
     * @return the last pieces, as {@link #take}; null if there are none
     */
    @Nullable Piece end() {
        Piece last = newest.getAndSet(END);
        return last == END ? null : oldestFirst(last);
    }

    /** Rejects further pieces, and releases the last ones. */
    void discard() {
        Piece next;
        for (Piece piece = end(); piece != null; piece = next) {
            next = piece.next;
            piece.release();
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
