package dev.sluice.samples.haboob;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory that all pages share: a limited number of blocks of one size. They are allocated when they are first
 * needed, and reused; they are never garbage collected. Belongs to the page cache, under its lock.
 */
final class PageMemory {

    /** The size of a block, in bytes. A page of one byte takes one. */
    static final int BLOCK = 8 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(PageMemory.class);
    /** The number of blocks that are allocated together, which costs less. */
    private static final int SLAB = 16;

    private final Deque<ByteBuffer> free = new ArrayDeque<>();
    private int maximum;
    private int made;

    PageMemory(int maximum) {
        this.maximum = maximum;
    }

    /** {@return how many blocks a content needs} */
    static int blocks(long octets) {
        return (int) ((octets + BLOCK - 1) / BLOCK);
    }

    /** {@return the maximum number of blocks} */
    int maximum() {
        return maximum;
    }

    /** {@return the number of blocks that can be taken} */
    int available() {
        return free.size() + maximum - made;
    }

    /** Takes blocks of those that are {@link #available()}; null if the Java heap's settings allow no more. */
    ByteBuffer[] take(int count) {
        while (free.size() < count) {
            if (made == maximum || !make()) {
                return null;
            }
        }
        ByteBuffer[] blocks = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            // The one that was used last: the processor may still have it.
            blocks[i] = free.pop();
        }
        return blocks;
    }

    private boolean make() {
        int count = Math.min(SLAB, maximum - made);
        ByteBuffer slab;
        try {
            slab = ByteBuffer.allocateDirect(count * BLOCK);
        } catch (OutOfMemoryError e) {
            LOG.warn("the page cache is limited to {} KiB: {} (see -XX:MaxDirectMemorySize, or set a smaller"
                    + " --page-cache)", (long) made * BLOCK / 1024, e.getMessage());
            maximum = made;
            return false;
        }
        for (int i = 0; i < count; i++) {
            free.push(slab.slice(i * BLOCK, BLOCK));
        }
        made += count;
        return true;
    }

    void release(ByteBuffer[] blocks) {
        for (ByteBuffer block : blocks) {
            free.push(block);
        }
    }
}
