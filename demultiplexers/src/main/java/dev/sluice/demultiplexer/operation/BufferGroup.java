package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.failure.Failures;
import java.util.ArrayList;
import java.util.List;

/** Provided buffers of one size: few at first, and more when these do not suffice. Used only inside. */
public final class BufferGroup {

    /**
     * How many there may be.
     *
     * @param bytes   of one buffer
     * @param initial number of them
     * @param most    number of them, a power of two and at most 32768, as io_uring needs it
     */
    public record Size(int bytes, int initial, int most) {

        /** Checks the range. */
        public Size {
            if (bytes < 1 || initial < 1 || most < initial || most > 1 << 15 || Integer.bitCount(most) != 1) {
                throw new IllegalArgumentException("provided buffers: " + bytes + " bytes, " + initial + " to " + most);
            }
        }

        /**
         * {@return how many buffers to add to those present: as many again, if one block of memory can hold them}
         *
         * @param present how many there are
         * @param beyond  whether there may be more than {@link #most}: then as many as there are at first are added to
         *                these
         */
        int growth(int present, boolean beyond) {
            int wanted = present == 0 ? initial : Math.min(present, most - present);
            if (wanted <= 0) {
                wanted = beyond ? Math.min(initial, MAX_NUMBERS - present) : 0;
            }
            return Math.min(wanted, Math.max(1, LARGEST_SLAB / bytes));
        }
    }

    /** How many are added when only those are to be that there must be: a connection may take half of them. */
    private static final int FEW = 4;
    /** The number of a buffer has 16 bits. */
    private static final int MAX_NUMBERS = 1 << 16;
    /** In bytes; less than the most that {@link Memory#allocate(int)} can allocate. */
    private static final int LARGEST_SLAB = 1 << 30;

    private final ProvidedBuffers pool;
    final int number;
    private final Size size;
    final int bytes;
    final int places;
    // Of a capacity that is given: without one, ensureCapacity reserves no places for the first ten elements.
    private final ArrayList<MemoryBlock> slabs = new ArrayList<>(1);
    /** All there are, in the order of their numbers. */
    final ArrayList<PooledBuffer> buffers = new ArrayList<>(1);
    /**
     * Those that may be received into, linked to one another: the one used last comes first, since that is in the
     * processor's cache.
     */
    PooledBuffer free;
    /** Whether it has not got all that it wanted when it last grew, as all {@link ProvidedMemory} is taken. */
    boolean lacksMemory;
    /** How many more times it is not made to grow, since there was no memory for it. */
    int skipped;

    /**
     * Creates a group without buffers.
     *
     * @param pool   that it belongs to
     * @param number its number among the groups
     * @param size   how many there may be, and how large
     * @param places what a buffer counts for in the share of a connection
     */
    BufferGroup(ProvidedBuffers pool, int number, Size size, int places) {
        this.pool = pool;
        this.number = number;
        this.size = size;
        this.bytes = size.bytes;
        this.places = places;
    }

    /** {@return how many ordinary ones each buffer counts for, in the share of a connection and otherwise} */
    public int places() {
        return places;
    }

    /** {@return all there are and will be, in the order of their numbers} */
    public List<PooledBuffer> buffers() {
        return buffers;
    }

    /** {@return whether one is free} */
    public boolean hasFree() {
        return free != null;
    }

    /** {@return how many there are, numbered from 0} */
    public int count() {
        return buffers.size();
    }

    /**
     * Doubles the number of buffers, as far as that is allowed and there is {@link ProvidedMemory}.
     *
     * @param beyond whether there may be more than there may be otherwise
     * @param needed whether there must be more, if only a few once all of that memory is taken
     * @return whether there are more now
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
                ProvidedMemory.CURRENT.giveBack((long) more * bytes);
                if (slab != null) {
                    slab.close();
                }
            }
        }
        return true;
    }

    /** Adds all buffers of a slab, or if there is no heap for that, none. */
    private void add(MemoryBlock slab, int more) {
        List<PooledBuffer> added = new ArrayList<>(more);
        for (int i = 0; i < more; i++) {
            int at = i * bytes;
            added.add(new PooledBuffer(pool, this, slab.buffer().slice(at, bytes), slab.address() + at,
                    buffers.size() + i));
        }
        buffers.ensureCapacity(buffers.size() + more);
        slabs.ensureCapacity(slabs.size() + 1);
        pool.know(added);
        // From here on nothing needs memory.
        slabs.add(slab);
        for (int i = 0; i < more; i++) {
            PooledBuffer buffer = added.get(i);
            buffers.add(buffer);
            buffer.addFree();
        }
    }

    /** Frees all that can be freed, and then throws what has kept the rest from it: a channel that still uses it. */
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
                ProvidedMemory.CURRENT.giveBack(slabs.remove(i).buffer().capacity());
            }
        }
        buffers.clear();
        Failures.throwFirst(failure);
    }
}
