package dev.sluice.lucene;

import dev.sluice.files.FileLoop;

/**
 * The prefetches of a directory: those of announced ranges, which are kept for further readers, and those of files that
 * are read in order, of which nothing is read again. So a merge does not discard what searches have read. May be used
 * by any thread.
 */
final class Prefetches {

    /** The maximum length of a range, in bytes. */
    static final int MAX_LENGTH = BlockPool.BLOCK;

    /** The memory is divided into equal parts, of which one is for files that are read in order. */
    private static final int PARTS = 4;

    private final FileLoop loop;
    private final PrefetchRing announced;
    private final PrefetchBuffers inOrder;

    /**
     * Creates prefetches that take no memory yet.
     *
     * @param loop   reads
     * @param memory the maximum size of the memory of all ranges, in bytes
     */
    Prefetches(FileLoop loop, long memory) {
        this.loop = loop;
        this.inOrder = new PrefetchBuffers(loop, memory / PARTS);
        this.announced = new PrefetchRing(loop, memory - memory / PARTS);
    }

    FileLoop loop() {
        return loop;
    }

    /** {@return those of ranges that inputs have announced} */
    PrefetchPool announced() {
        return announced;
    }

    /** {@return those of ranges that follow what is being read} */
    PrefetchPool inOrder() {
        return inOrder;
    }
}
