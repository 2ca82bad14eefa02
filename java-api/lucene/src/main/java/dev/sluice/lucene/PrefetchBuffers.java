package dev.sluice.lucene;

import dev.sluice.files.FileLoop;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a range in a buffer of the maximum length until its last byte has been read. If all buffers are in use, that
 * of the oldest range is used for another one, whether its bytes have been needed or not; if its read is still in
 * flight, the pool is exhausted.
 */
final class PrefetchBuffers extends PrefetchPool {

    private static final Logger LOG = LoggerFactory.getLogger(PrefetchBuffers.class);

    // Guarded by the lock.

    /** With space for all that have been created, as the batches of the superclass have. */
    private final ArrayList<Prefetch> idle = new ArrayList<>(1);
    /** Those with a range, the oldest first. */
    private final Set<Prefetch> used = new LinkedHashSet<>();
    private int created;
    private int capacity;

    /**
     * Creates a pool that takes no memory yet.
     *
     * @param loop   reads
     * @param memory the maximum size of all buffers, in bytes
     */
    PrefetchBuffers(FileLoop loop, long memory) {
        super(loop);
        this.capacity = (int) Math.min(memory / Prefetches.MAX_LENGTH, Integer.MAX_VALUE);
    }

    @Override
    int maxLength() {
        return Prefetches.MAX_LENGTH;
    }

    @Override
    boolean keepsRead() {
        return false;
    }

    @Override
    @Nullable Prefetch reserve(int length, int unit) {
        if (idle.isEmpty() && !create() && !used.isEmpty()) {
            // Which makes it idle.
            used.iterator().next().tryEnd(null);
        }
        if (idle.isEmpty()) {
            return null;
        }
        int last = idle.size() - 1;
        Prefetch reserved = idle.get(last);
        reserved.reserve(takeBatch(), reserved.memory(), 0, 0, length);
        used.add(reserved);
        idle.remove(last);
        return reserved;
    }

    /** {@return whether there is an idle prefetch now} Creates it, unless there are as many as there may be. */
    private boolean create() {
        if (created == capacity) {
            return false;
        }
        try {
            idle.ensureCapacity(created + 1);
            idle.add(new Prefetch(this, BlockPool.allocate(Prefetches.MAX_LENGTH)));
            created++;
            return true;
        } catch (OutOfMemoryError e) {
            // Further attempts would wait for the garbage collector, and take from others.
            capacity = created;
            LOG.debug("there is no memory for more than {} prefetches", created, e);
            return false;
        }
    }

    @Override
    void release(Prefetch prefetch) {
        if (used.remove(prefetch)) {
            idle.add(prefetch);
        }
    }
}
