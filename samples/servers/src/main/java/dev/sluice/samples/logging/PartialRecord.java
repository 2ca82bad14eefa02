package dev.sluice.samples.logging;

import java.util.Arrays;

/** The octets of a record that has begun in an earlier chunk than the one it ends in. */
final class PartialRecord {

    private static final byte[] NOTHING = {};
    private static final int FIRST_CAPACITY = 256;

    /**
     * Up to this capacity the array outlives its record, so that a connection with ordinary records does not allocate
     * at every cut. RFC 5424 section 6.1 wants receivers to take 2048 octets, hence few records are longer.
     */
    private static final int KEPT_CAPACITY = 2048;

    private final int limit;
    private byte[] array = NOTHING;
    private int length;

    PartialRecord(int limit) {
        this.limit = limit;
    }

    byte[] array() {
        return array;
    }

    int length() {
        return length;
    }

    boolean hasSpaceFor(int more) {
        return more <= limit - length;
    }

    /** Requires {@link #hasSpaceFor}. */
    void add(byte[] source, int from, int count) {
        int needed = length + count;
        if (needed > array.length) {
            int capacity = Math.max(needed, Math.max(FIRST_CAPACITY, 2 * array.length));
            array = Arrays.copyOf(array, Math.min(capacity, limit));
        }
        System.arraycopy(source, from, array, length, count);
        length = needed;
    }

    void clear() {
        length = 0;
        if (array.length > KEPT_CAPACITY) {
            array = NOTHING;
        }
    }
}
