package dev.sluice.wine;

import java.util.Map;
import java.util.TreeMap;

/**
 * Which parts of a space are free: the first one that is large enough is taken; adjacent parts that are given back are
 * merged.
 */
final class FreeSpace {

    private static final int ALIGNMENT = 64;

    private final TreeMap<Integer, Integer> sizes = new TreeMap<>();

    /** A space from an aligned start, all of it free. */
    FreeSpace(int start, int size) {
        sizes.put(start, size);
    }

    /**
     * Takes a part.
     *
     * @param size in bytes
     * @return where it starts, aligned to 64 bytes; -1 if there is no such part
     */
    synchronized int take(int size) {
        int needed = rounded(size);
        for (Map.Entry<Integer, Integer> part : sizes.entrySet()) {
            if (part.getValue() >= needed) {
                int start = part.getKey();
                int left = part.getValue() - needed;
                sizes.remove(start);
                if (left > 0) {
                    sizes.put(start + needed, left);
                }
                return start;
            }
        }
        return -1;
    }

    /** Gives back what {@link #take} gave for this size. */
    synchronized void giveBack(int taken, int size) {
        int start = taken;
        int end = start + rounded(size);
        Map.Entry<Integer, Integer> before = sizes.lowerEntry(start);
        if (before != null && before.getKey() + before.getValue() == start) {
            start = before.getKey();
        }
        Integer behind = sizes.remove(end);
        sizes.put(start, end - start + (behind == null ? 0 : behind));
    }

    /** {@return the number of free bytes, contiguous or not} */
    synchronized long bytes() {
        return sizes.values().stream().mapToLong(Integer::longValue).sum();
    }

    private static int rounded(int size) {
        return size + ALIGNMENT - 1 & -ALIGNMENT;
    }
}
