package dev.sluice.lucene;

import dev.sluice.files.FileLoop;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prefetches of one maximum length, of which there are at most as many as the capacity. If all are in use, the oldest
 * one is used for another range, whether its bytes have been needed or not; if its read is still in flight, the pool is
 * exhausted. May be used by any thread.
 *
 * <p>The lock of a prefetch may be held when that of the pool is acquired. In the other order, it is only tried.
 */
final class PrefetchPool {

    private static final Logger LOG = LoggerFactory.getLogger(PrefetchPool.class);

    private final FileLoop loop;
    private final int maxLength;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.

    /**
     * With space for all that have been created, because there may be no memory when one is given back. With an
     * explicit capacity: without one, {@code ensureCapacity} does not allocate space for the first ten.
     */
    private final ArrayList<Prefetch> idle = new ArrayList<>(1);
    /** Those with a range, the oldest first. */
    private final Set<Prefetch> used = new LinkedHashSet<>();
    private int created;
    private int capacity;

    /**
     * Creates an empty pool.
     *
     * @param loop      reads
     * @param maxLength the maximum length of a range, in bytes
     * @param capacity  the maximum number of prefetches
     */
    PrefetchPool(FileLoop loop, int maxLength, int capacity) {
        this.loop = loop;
        this.maxLength = maxLength;
        this.capacity = capacity;
    }

    /** {@return a prefetch to be started; null if the pool is exhausted} */
    @Nullable Prefetch take() {
        lock.lock();
        try {
            Prefetch taken = idle.isEmpty() ? null : idle.remove(idle.size() - 1);
            if (taken == null && created < capacity) {
                taken = create();
            }
            if (taken == null) {
                Iterator<Prefetch> oldest = used.iterator();
                if (oldest.hasNext()) {
                    Prefetch candidate = oldest.next();
                    if (candidate.tryEnd(null)) {
                        oldest.remove();
                        taken = candidate;
                    }
                }
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** {@return a new prefetch; null if there is no memory for its buffer, and so none for more} */
    private @Nullable Prefetch create() {
        try {
            idle.ensureCapacity(created + 1);
            Prefetch made = new Prefetch(this, loop, maxLength);
            created++;
            return made;
        } catch (OutOfMemoryError e) {
            // Further attempts would wait for the garbage collector, and take from others.
            capacity = created;
            LOG.debug("there is no memory for more than {} prefetches", created, e);
            return null;
        }
    }

    /** Counts a prefetch that has been taken and started among those in use. The caller holds its lock. */
    void started(Prefetch prefetch) {
        lock.lock();
        try {
            used.add(prefetch);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a prefetch that has been taken and could not be started. */
    void discard() {
        lock.lock();
        try {
            created--;
        } finally {
            lock.unlock();
        }
    }

    /** Takes back a prefetch whose range is no longer needed. The caller holds its lock. */
    void giveBack(Prefetch prefetch) {
        lock.lock();
        try {
            // Needs no memory: the caller's bytes have been read.
            used.remove(prefetch);
            idle.add(prefetch);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the prefetches of a file that is being closed, but those in flight when they are the oldest. */
    void endAll(IndexFile file, Iterable<Prefetch> prefetches) {
        lock.lock();
        try {
            for (Prefetch each : prefetches) {
                if (used.contains(each) && each.tryEnd(file)) {
                    used.remove(each);
                    idle.add(each);
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
