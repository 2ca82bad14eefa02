package dev.sluice.lucene;

import dev.sluice.files.FileBatch;
import dev.sluice.files.FileLoop;
import java.util.ArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Prefetches that are used again and again, and the memory of their ranges. May be used by any thread.
 *
 * <p>The lock of a prefetch may be held when that of the pool is acquired. In the other order, it is only tried.
 */
abstract sealed class PrefetchPool permits PrefetchRing, PrefetchBuffers {

    private final FileLoop loop;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.

    /**
     * With space for all that have been created, because there may be no memory when one is given back. With an
     * explicit capacity: without one, {@code ensureCapacity} does not allocate space for the first ten.
     */
    private final ArrayList<FileBatch> batches = new ArrayList<>(1);
    private int createdBatches;

    PrefetchPool(FileLoop loop) {
        this.loop = loop;
    }

    /** {@return the maximum length of a range, in bytes: a multiple of {@link BlockPool#UNIT}, 0 without memory} */
    abstract int maxLength();

    /** {@return whether bytes that have been read stay for further readers, until the memory is needed} */
    abstract boolean keepsRead();

    /**
     * Takes a prefetch, which the caller starts.
     *
     * @param length the length of the range, at most {@link #maxLength}
     * @param unit   the unit of the address of its memory, at most {@link BlockPool#UNIT}
     * @return the prefetch; null if the pool is exhausted
     */
    final @Nullable Prefetch take(int length, int unit) {
        lock.lock();
        try {
            return reserve(length, unit);
        } finally {
            lock.unlock();
        }
    }

    /** Reserves memory as {@link #take} needs it. The caller holds the lock. */
    abstract @Nullable Prefetch reserve(int length, int unit);

    /** {@return a batch of one operation} The caller holds the lock. */
    final FileBatch takeBatch() {
        if (!batches.isEmpty()) {
            return batches.remove(batches.size() - 1);
        }
        batches.ensureCapacity(createdBatches + 1);
        FileBatch created = new FileBatch(loop, 1);
        createdBatches++;
        return created;
    }

    /** Takes back the batch of a prefetch whose read has completed. The caller holds the lock of the prefetch. */
    final void giveBack(FileBatch batch) {
        lock.lock();
        try {
            // Needs no memory: the caller's bytes have been read.
            batches.add(batch);
        } finally {
            lock.unlock();
        }
    }

    /** Takes back a prefetch whose range has ended. The caller holds its lock. */
    final void ended(Prefetch prefetch) {
        lock.lock();
        try {
            release(prefetch);
        } finally {
            lock.unlock();
        }
    }

    /** Releases the memory of a range that has ended, without further memory. The caller holds the lock. */
    abstract void release(Prefetch prefetch);
}
