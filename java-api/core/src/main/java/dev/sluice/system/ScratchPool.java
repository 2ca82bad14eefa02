package dev.sluice.system;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A few places where scratch memory waits to be borrowed again. Each thread starts looking at a place of its own, so
 * that an event loop finds what it last gave back and does not contend with others. Any thread may use it; it has no
 * locks.
 */
final class ScratchPool {

    /** The distance between places, since adjacent ones would share a cache line. */
    private static final int APART = 16;

    private final AtomicReferenceArray<Scratch> places;

    /** Creates an empty pool, which keeps at most the given number, a power of two. */
    ScratchPool(int places) {
        this.places = new AtomicReferenceArray<>(places * APART);
    }

    /** {@return scratch memory taken out of the pool; null if the pool is empty} */
    Scratch take() {
        int first = first();
        for (int i = 0; i < places.length(); i += APART) {
            int at = first + i & places.length() - 1;
            if (places.get(at) != null) {
                Scratch scratch = places.getAndSet(at, null);
                if (scratch != null) {
                    return scratch;
                }
            }
        }
        return null;
    }

    /** {@return whether there was a place for it} */
    boolean giveBack(Scratch scratch) {
        int first = first();
        for (int i = 0; i < places.length(); i += APART) {
            int at = first + i & places.length() - 1;
            if (places.get(at) == null && places.compareAndSet(at, null, scratch)) {
                return true;
            }
        }
        return false;
    }

    private int first() {
        return (int) Thread.currentThread().getId() * APART & places.length() - 1;
    }

    /** {@return how many it holds} */
    int size() {
        int count = 0;
        for (int i = 0; i < places.length(); i += APART) {
            count += places.get(i) != null ? 1 : 0;
        }
        return count;
    }
}
