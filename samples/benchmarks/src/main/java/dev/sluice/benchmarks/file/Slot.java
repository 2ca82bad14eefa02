package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.workload.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.IntCountsHistogram;

/**
 * Performs operations at random positions or one after the other, one at a time. The first and the last bytes of each
 * block contain its position, and those between them its writer, so that a wrong block and a missing write are both
 * detected. Not every operation is timed and not every read is checked, as that takes time itself.
 */
final class Slot {

    /** The length of a block in bytes. */
    static final int BLOCK = 4096;

    private static final int AUTHOR = 8;
    private static final int LAST = BLOCK - Long.BYTES;
    private static final int KEPT = 64;
    /** One of so many reads is checked; and timed where an operation takes little longer than to take the time. */
    private static final int INTERVAL = 8;
    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final int DIGITS = 2;

    private final int number;
    private final Job job;
    private final Deadline deadline;
    private final AtomicLong cursor;
    private final long author;
    private final long places;
    private final IntCountsHistogram latencies;
    private final boolean timesAll;
    private final ByteBuffer block;
    private final long[] recent = new long[KEPT];
    private long random;
    private long place;
    private long began;
    private boolean checks;
    private boolean timed;
    private long done;

    /**
     * Creates a slot.
     *
     * @param number    distinguishes it from others
     * @param job       what it does
     * @param length    of the file, in bytes
     * @param author    stands in what is written
     * @param cursor    the number of operations that have been begun one after the other, of all slots
     * @param deadline  notices the end
     * @param latencies takes the durations of operations, in nanoseconds; used by the thread that uses the slot
     */
    Slot(int number, Job job, long length, long author, AtomicLong cursor, Deadline deadline,
            IntCountsHistogram latencies) {
        this.number = number;
        this.job = job;
        this.deadline = deadline;
        this.cursor = cursor;
        this.author = author;
        this.places = length / job.size();
        this.latencies = latencies;
        this.timesAll = job.direct() || job.size() > BLOCK;
        this.random = 0x9E3779B97F4A7C15L * (number + 1);
        this.block = aligned(job.size());
    }

    /** {@return a buffer that begins and ends at multiples of a block} */
    static ByteBuffer aligned(int size) {
        return ByteBuffer.allocateDirect(size + BLOCK).alignedSlice(BLOCK).slice(0, size)
                .order(ByteOrder.nativeOrder());
    }

    static IntCountsHistogram histogram() {
        return new IntCountsHistogram(LONGEST_NANOS, DIGITS);
    }

    int number() {
        return number;
    }

    IntCountsHistogram latencies() {
        return latencies;
    }

    /** {@return the number of operations that have ended} */
    long done() {
        return done;
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
        place = (job.sequential() ? cursor.getAndIncrement() : random()) % places * job.size();
        block.clear();
        checks = done % INTERVAL == 0;
        timed = checks || timesAll;
        if (job.writes()) {
            fill(block, place, author);
        } else if (checks) {
            // What the operation before has read must not pass for what this one does.
            block.putLong(0, -1).putLong(job.size() - Long.BYTES, -1);
        }
        if (timed) {
            began = System.nanoTime();
        }
    }

    private long random() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return random >>> 1;
    }

    /** Fills all blocks of a buffer. */
    static void fill(ByteBuffer blocks, long place, long author) {
        for (int at = 0; at < blocks.capacity(); at += BLOCK) {
            blocks.putLong(at, place + at).putLong(at + AUTHOR, author).putLong(at + LAST, place + at);
        }
    }

    /**
     * Checks the result of the operation.
     *
     * @param bytes the number of bytes that it has reported as transferred
     * @throws IOException if they are not those of the operation
     */
    void end(long bytes) throws IOException {
        if (timed) {
            long now = System.nanoTime();
            latencies.recordValue(Math.min(now - began, LONGEST_NANOS));
            deadline.notice(now);
        }
        if (bytes != job.size() || block.hasRemaining()) {
            throw new IOException(bytes + " bytes at " + place + ", " + block.remaining() + " are left");
        }
        if (checks && !job.writes()) {
            requireBlocks(block, place);
        }
        recent[(int) (done++ % KEPT)] = place;
    }

    private static void requireBlocks(ByteBuffer blocks, long place) throws IOException {
        int last = blocks.capacity() - Long.BYTES;
        if (blocks.getLong(0) != place || blocks.getLong(last) != place + blocks.capacity() - BLOCK) {
            throw new IOException("the blocks at " + place + " say that they belong to " + blocks.getLong(0) + " and "
                    + blocks.getLong(last));
        }
    }

    /**
     * Checks that what was written last is in the file.
     *
     * @param file to look at
     * @throws IOException if it is not
     */
    void requireWritten(FileChannel file) throws IOException {
        for (int i = 0; job.writes() && i < Math.min(done, KEPT); i++) {
            file.read(block.clear(), recent[i]);
            requireBlocks(block, recent[i]);
            if (block.getLong(AUTHOR) != author) {
                throw new IOException("the block at " + recent[i] + " was not written");
            }
        }
    }
}
