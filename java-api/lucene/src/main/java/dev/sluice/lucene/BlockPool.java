package dev.sluice.lucene;

import dev.sluice.handle.FileAlignment;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;

/** Direct buffers for blocks of files, which are lent and kept for the next use. May be used by any thread. */
final class BlockPool {

    /** The length of a block, in bytes. */
    static final int BLOCK = 64 * 1024;

    /** The unit that addresses of blocks are multiples of, in bytes. */
    static final int UNIT = 4096;

    private static final int MAX_KEPT = 32;
    private static final FileAlignment ALIGNMENT = new FileAlignment(UNIT, UNIT, UNIT);

    private final ArrayBlockingQueue<ByteBuffer> kept = new ArrayBlockingQueue<>(MAX_KEPT);

    /** {@return a new aligned buffer of a number of bytes} */
    static ByteBuffer allocate(int length) {
        return ALIGNMENT.allocate(length);
    }

    /** {@return an empty block, to be given back} */
    ByteBuffer take() {
        ByteBuffer block = kept.poll();
        return block == null ? allocate(BLOCK) : block.clear();
    }

    /** Takes back a block. The garbage collector frees it if enough are kept. */
    void giveBack(ByteBuffer block) {
        kept.offer(block);
    }
}
