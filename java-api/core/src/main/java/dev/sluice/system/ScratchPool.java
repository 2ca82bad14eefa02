package dev.sluice.system;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A pool of scratch memory with a fixed number of slots. Each thread starts searching at a slot of its own, so that an
 * event loop finds the memory that it last returned and does not contend with other threads. May be called from any
 * thread; lock-free.
 */
final class ScratchPool {

    /** Distance between slots, which prevents them from sharing a cache line. */
    private static final int STRIDE = 16;

    private final AtomicReferenceArray<Scratch> slots;

    /** Creates an empty pool with the given number of slots, a power of two. */
    ScratchPool(int slots) {
        this.slots = new AtomicReferenceArray<>(slots * STRIDE);
    }

    /** Removes scratch memory from the pool. Returns the memory; null if the pool is empty. */
    Scratch take() {
        int first = first();
        for (int i = 0; i < slots.length(); i += STRIDE) {
            int at = first + i & slots.length() - 1;
            if (slots.get(at) != null) {
                Scratch scratch = slots.getAndSet(at, null);
                if (scratch != null) {
                    return scratch;
                }
            }
        }
        return null;
    }

    /** Returns memory to the pool. Returns false if the pool is full. */
    boolean release(Scratch scratch) {
        int first = first();
        for (int i = 0; i < slots.length(); i += STRIDE) {
            int at = first + i & slots.length() - 1;
            if (slots.get(at) == null && slots.compareAndSet(at, null, scratch)) {
                return true;
            }
        }
        return false;
    }

    private int first() {
        return (int) Thread.currentThread().getId() * STRIDE & slots.length() - 1;
    }

    /** {@return the number of elements} */
    int size() {
        int count = 0;
        for (int i = 0; i < slots.length(); i += STRIDE) {
            count += slots.get(i) != null ? 1 : 0;
        }
        return count;
    }
}
