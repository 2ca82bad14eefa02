package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.failure.Failures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Provided buffers of one size, whose number grows on demand. Used only inside. */
public final class BufferGroup {

    /**
     * The size and the number of the buffers of a group.
     *
     * @param bytes   the size of a buffer in bytes
     * @param initial the initial number of buffers
     * @param max     the maximum number of buffers, a power of two and at most 32768, as io_uring requires
     */
    public record Size(int bytes, int initial, int max) {

        /** Checks the range. */
        public Size {
            if (bytes < 1 || initial < 1 || max < initial || max > 1 << 15 || Integer.bitCount(max) != 1) {
                throw new IllegalArgumentException("provided buffers: " + bytes + " bytes, " + initial + " to " + max);
            }
        }

        /**
         * {@return the number of buffers to add: as many as are present, if one block of memory can hold them}
         *
         * @param present the current number of buffers
         * @param beyond  whether there may be more than {@link #max}, in which case the initial number is added
         */
        int growth(int present, boolean beyond) {
            int wanted = present == 0 ? initial : Math.min(present, max - present);
            if (wanted <= 0) {
                wanted = beyond ? Math.min(initial, MAX_NUMBERS - present) : 0;
            }
            return Math.min(wanted, Math.max(1, MAX_SLAB_BYTES / bytes));
        }
    }

    /** The number of buffers to add if only a few must be added: a connection may take half of them. */
    private static final int FEW = 4;
    /** The number of a buffer has 16 bits. */
    private static final int MAX_NUMBERS = 1 << 16;
    /** The maximum size of a slab in bytes, less than {@link Memory#allocate(int)} can allocate. */
    private static final int MAX_SLAB_BYTES = 1 << 30;

    private final ProvidedBuffers pool;
    final int number;
    private final Size size;
    final int bytes;
    final int places;
    // Of a capacity that is given: without one, ensureCapacity reserves no places for the first ten elements.
    private final ArrayList<MemoryBlock> slabs = new ArrayList<>(1);
    /** All buffers of the group, in the order of their numbers. */
    final ArrayList<PooledBuffer> buffers = new ArrayList<>(1);
    /**
     * The first of the free buffers, which are linked. The one that was used last comes first, because it is in the
     * processor's cache.
     */
    @Nullable PooledBuffer free;
    /** Whether the group could not grow as much as it should have, because all {@link ProvidedMemory} is in use. */
    boolean lacksMemory;
    /** The number of further attempts to grow that are skipped, because there was no memory for one. */
    int skipped;

    /**
     * Creates a group without buffers.
     *
     * @param pool   the pool that the group belongs to
     * @param number the number of the group in the pool
     * @param size   the size and the number of buffers
     * @param places the number of ordinary buffers that a buffer counts as in the share of a connection
     */
    BufferGroup(ProvidedBuffers pool, int number, Size size, int places) {
        this.pool = pool;
        this.number = number;
        this.size = size;
        this.bytes = size.bytes;
        this.places = places;
    }

    /** {@return the number of ordinary buffers that a buffer counts as, in the share of a connection and in budgets} */
    public int places() {
        return places;
    }

    /** {@return a view of all buffers of the group, in the order of their numbers} */
    public List<PooledBuffer> buffers() {
        return buffers;
    }

    /** {@return whether a buffer is free} */
    public boolean hasFree() {
        return free != null;
    }

    /** {@return the number of buffers, which are numbered from 0} */
    public int count() {
        return buffers.size();
    }

    /**
     * Doubles the number of buffers, as far as the maximum and the {@link ProvidedMemory} allow.
     *
     * @param beyond whether the maximum may be exceeded
     * @param needed whether buffers must be added, a few even if all of that memory is in use
     * @return whether buffers have been added
     * @throws OutOfMemoryError if the system refuses
     */
    boolean grow(boolean beyond, boolean needed) {
        assert pool.isInside();
        int wanted = size.growth(buffers.size(), beyond);
        int more = ProvidedMemory.CURRENT.take(wanted, bytes);
        if (wanted > 0) {
            lacksMemory = more < wanted;
        }
        if (more == 0 && needed) {
            more = buffers.isEmpty() ? wanted : Math.min(wanted, FEW);
            ProvidedMemory.CURRENT.takeBeyond(more, bytes);
        }
        if (more == 0) {
            return false;
        }
        MemoryBlock slab = null;
        boolean added = false;
        try {
            slab = pool.memory().allocate(more * bytes);
            add(slab, more);
            added = true;
        } finally {
            if (!added) {
                ProvidedMemory.CURRENT.release((long) more * bytes);
                if (slab != null) {
                    slab.close();
                }
            }
        }
        return true;
    }

    /** Adds all buffers of a slab; none if there is not enough memory for that. */
    private void add(MemoryBlock slab, int more) {
        List<PooledBuffer> added = new ArrayList<>(more);
        for (int i = 0; i < more; i++) {
            int at = i * bytes;
            added.add(new PooledBuffer(pool, this, slab.buffer().slice(at, bytes), slab.address() + at,
                    buffers.size() + i));
        }
        buffers.ensureCapacity(buffers.size() + more);
        slabs.ensureCapacity(slabs.size() + 1);
        pool.addViews(added);
        // The rest needs no memory.
        slabs.add(slab);
        for (int i = 0; i < more; i++) {
            PooledBuffer buffer = added.get(i);
            buffers.add(buffer);
            buffer.addFree();
        }
    }

    /**
     * Frees the memory of all slabs, and then throws the exceptions of those that could not be freed, because a channel
     * still uses them.
     */
    void close() {
        Throwable failure = null;
        for (int i = slabs.size() - 1; i >= 0; i--) {
            boolean again = false;
            try {
                slabs.get(i).close();
            } catch (RuntimeException | Error e) {
                again = Failures.isShortage(e);
                failure = Failures.and(failure, e);
            }
            if (!again) {
                // A program that still holds the closed demultiplexer must not keep the memory alive.
                ProvidedMemory.CURRENT.release(slabs.remove(i).buffer().capacity());
            }
        }
        buffers.clear();
        Failures.throwFirst(failure);
    }
}
