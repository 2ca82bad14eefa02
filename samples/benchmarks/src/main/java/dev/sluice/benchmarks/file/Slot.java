package dev.sluice.benchmarks.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * Performs operations on blocks at random positions, one at a time. The first and the last bytes of each block contain
 * its position, and those between them its writer, so that a wrong block and a missing write are both detected.
 */
final class Slot {

    /** The length of a block in bytes. */
    static final int BLOCK = 4096;

    private static final int AUTHOR = 8;
    private static final int LAST = BLOCK - Long.BYTES;
    private static final int KEPT = 64;

    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.nativeOrder());
    private final long[] recent = new long[KEPT];
    private final long blocks;
    private final boolean writes;
    private final long author;
    private long random;
    private long place;
    private long done;

    Slot(int number, long blocks, boolean writes, long author) {
        this.blocks = blocks;
        this.writes = writes;
        this.author = author;
        this.random = 0x9E3779B97F4A7C15L * (number + 1);
    }

    /** {@return the buffer of the operation} */
    ByteBuffer block() {
        return block;
    }

    /** {@return the position of the operation} */
    long place() {
        return place;
    }

    /** Chooses the next place. */
    void begin() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        place = (random >>> 1) % blocks * BLOCK;
        block.clear();
        if (writes) {
            fill(block, place, author);
        } else {
            // What the operation before has read must not pass for what this one does.
            block.putLong(0, -1).putLong(LAST, -1);
        }
    }

    static void fill(ByteBuffer block, long place, long author) {
        block.putLong(0, place).putLong(AUTHOR, author).putLong(LAST, place);
    }

    /**
     * Checks the result of the operation.
     *
     * @param bytes the number of bytes that it has reported as transferred
     * @throws IOException if that is not one block, or another
     */
    void end(long bytes) throws IOException {
        if (bytes != BLOCK || block.hasRemaining()) {
            throw new IOException(bytes + " bytes at " + place + ", " + block.remaining() + " are left");
        }
        if (!writes) {
            requireBlock(block, place);
        }
        recent[(int) (done++ % KEPT)] = place;
    }

    private static void requireBlock(ByteBuffer block, long place) throws IOException {
        if (block.getLong(0) != place || block.getLong(LAST) != place) {
            throw new IOException("the block at " + place + " says that it belongs to " + block.getLong(0) + " and "
                    + block.getLong(LAST));
        }
    }

    /**
     * Checks that what was written last is in the file.
     *
     * @param file to look at
     * @throws IOException if it is not
     */
    void requireWritten(FileChannel file) throws IOException {
        for (int i = 0; writes && i < Math.min(done, KEPT); i++) {
            file.read(block.clear(), recent[i]);
            requireBlock(block, recent[i]);
            if (block.getLong(AUTHOR) != author) {
                throw new IOException("the block at " + recent[i] + " was not written");
            }
        }
    }
}
