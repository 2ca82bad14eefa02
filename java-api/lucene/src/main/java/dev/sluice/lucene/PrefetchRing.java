package dev.sluice.lucene;

import dev.sluice.files.FileLoop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps ranges of any lengths, which leave few bytes of the memory unused. The memory is a ring: each range is placed
 * behind the one that was started before, and the oldest ones end where it is placed, whether their bytes have been
 * needed or not. If the read of one of these is still in flight, or a thread copies from it, the pool is exhausted.
 */
final class PrefetchRing extends PrefetchPool {

    private static final Logger LOG = LoggerFactory.getLogger(PrefetchRing.class);
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    /** The maximum length of a part of the memory, in bytes. It is allocated part by part, when it is first needed. */
    private static final int MAX_SLAB = 1 << 20;

    private final int slabLength;

    // Guarded by the lock.

    private final ArrayList<ByteBuffer> slabs = new ArrayList<>();
    private int maxSlabs;
    /** The oldest one that has a place in the memory. They are linked in the order of their places. */
    private @Nullable Prefetch oldest;
    private @Nullable Prefetch newest;
    /** The place behind the newest one: the index of the slab, and the first byte there. */
    private int slab = -1;
    private int offset;
    /** The one that has ended last. */
    private @Nullable Prefetch spare;

    /**
     * Creates a pool that takes no memory yet.
     *
     * @param loop   reads
     * @param memory the maximum size of the memory, in bytes
     */
    PrefetchRing(FileLoop loop, long memory) {
        super(loop);
        this.slabLength = (int) Math.min(MAX_SLAB, memory) & -BlockPool.UNIT;
        this.maxSlabs = slabLength == 0 ? 0 : (int) Math.min(memory / slabLength, Integer.MAX_VALUE);
        this.offset = slabLength;
    }

    @Override
    int maxLength() {
        return Math.min(Prefetches.MAX_LENGTH, slabLength);
    }

    @Override
    boolean keepsRead() {
        return true;
    }

    @Override
    @Nullable Prefetch reserve(int length, int unit) {
        if (slabLength == 0 || !makeSpace(length, unit)) {
            return null;
        }
        Prefetch reserved = spare == null ? new Prefetch(this, NONE) : spare;
        reserved.reserve(takeBatch(), slabs.get(slab), slab, offset, length);
        spare = null;
        if (newest == null) {
            oldest = reserved;
        } else {
            newest.following = reserved;
        }
        newest = reserved;
        offset += length;
        return reserved;
    }

    /**
     * Moves to the next place for a range, and ends the ranges that overlap it.
     *
     * @return false if one of them cannot end, or there is no memory
     */
    private boolean makeSpace(int length, int unit) {
        int begin = offset + unit - 1 & -unit;
        if (begin + length > slabLength) {
            // Also what lies behind: the places of all others remain in order.
            if (!endBefore(slabLength) || !moveToNextSlab()) {
                return false;
            }
            begin = 0;
        }
        if (!endBefore(begin + length)) {
            return false;
        }
        offset = begin;
        return true;
    }

    /** Ends the ranges between the current place and another one of the same slab, unless one of them cannot end. */
    private boolean endBefore(int end) {
        Prefetch next = oldest;
        while (next != null && next.isIn(slab, offset, end)) {
            if (!next.tryEnd(null)) {
                return false;
            }
            spare = next;
            next = next.following;
            spare.following = null;
            oldest = next;
        }
        if (next == null) {
            newest = null;
        }
        return true;
    }

    private boolean moveToNextSlab() {
        if (slab + 1 < slabs.size() || slabs.size() < maxSlabs && allocate()) {
            slab++;
        } else if (slabs.isEmpty()) {
            return false;
        } else {
            slab = 0;
        }
        offset = 0;
        return true;
    }

    private boolean allocate() {
        try {
            slabs.add(BlockPool.allocate(slabLength));
            return true;
        } catch (OutOfMemoryError e) {
            // Further attempts would wait for the garbage collector, and take from others.
            maxSlabs = slabs.size();
            LOG.debug("there is no memory for more than {} times {} bytes of what is read ahead", maxSlabs, slabLength,
                    e);
            return false;
        }
    }

    /** Does nothing: the place is released in its turn. */
    @Override
    void release(Prefetch prefetch) {
    }
}
