package dev.sluice.lucene;

import dev.sluice.files.FileLoop;

/**
 * The prefetches of a directory: long ones, and more of the short ones that single vectors and the like need. May be
 * used by any thread.
 */
final class Prefetches {

    /** The maximum length of a range, in bytes. */
    static final int MAX_LENGTH = BlockPool.BLOCK;

    /** The bytes of the buffers of one long prefetch, and of the short ones that come with it. */
    static final int MAX_BYTES = 2 * MAX_LENGTH;

    private static final int SHORT_PER_LONG = 4;
    private static final int SHORT_LENGTH = MAX_LENGTH / SHORT_PER_LONG;

    private final FileLoop loop;
    private final PrefetchPool longOnes;
    private final PrefetchPool shortOnes;

    /**
     * Creates prefetches that take no memory yet.
     *
     * @param loop     reads
     * @param capacity the maximum number of long ones; that of the short ones is four times as large
     */
    Prefetches(FileLoop loop, int capacity) {
        this.loop = loop;
        this.longOnes = new PrefetchPool(loop, MAX_LENGTH, capacity);
        this.shortOnes = new PrefetchPool(loop, SHORT_LENGTH,
                (int) Math.min((long) SHORT_PER_LONG * capacity, Integer.MAX_VALUE));
    }

    FileLoop loop() {
        return loop;
    }

    /** {@return those for ranges of a length, which is at most {@link #MAX_LENGTH}} */
    PrefetchPool ofLength(int length) {
        return length <= SHORT_LENGTH ? shortOnes : longOnes;
    }

    /** Ends the prefetches of a file that is being closed, but those in flight when they are the oldest. */
    void endAll(IndexFile file, Iterable<Prefetch> prefetches) {
        longOnes.endAll(file, prefetches);
        shortOnes.endAll(file, prefetches);
    }
}
