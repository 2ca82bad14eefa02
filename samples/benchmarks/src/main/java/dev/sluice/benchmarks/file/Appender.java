package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.workload.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.HdrHistogram.IntCountsHistogram;

/** Appends records one after the other, each of which contains its author and its number. */
final class Appender {

    /** The length of a record in bytes. */
    static final int RECORD = Slot.BLOCK;

    private static final int NUMBER = Long.BYTES;
    private static final int LAST = RECORD - Long.BYTES;

    private final int author;
    private final Deadline deadline;
    private final IntCountsHistogram latencies = Slot.histogram();
    private final ByteBuffer record = Slot.aligned(RECORD);
    private long began;
    private long done;

    /**
     * Creates an appender.
     *
     * @param author   its number, from 0
     * @param deadline notices the end
     */
    Appender(int author, Deadline deadline) {
        this.author = author;
        this.deadline = deadline;
    }

    int author() {
        return author;
    }

    IntCountsHistogram latencies() {
        return latencies;
    }

    ByteBuffer record() {
        return record;
    }

    /** {@return the number of records that are durable} */
    long done() {
        return done;
    }

    /** Begins with the first record again. */
    void reset() {
        latencies.reset();
        done = 0;
    }

    /** Fills the next record. */
    void begin() {
        record.clear();
        record.putLong(0, author).putLong(NUMBER, done).putLong(LAST, done);
        began = System.nanoTime();
    }

    /** The record is durable. */
    void end() throws IOException {
        long now = System.nanoTime();
        latencies.recordValue(Math.min(now - began, latencies.getHighestTrackableValue()));
        deadline.notice(now);
        if (record.hasRemaining()) {
            throw new IOException(record.remaining() + " bytes of record " + done + " are left");
        }
        done++;
    }

    /** {@return the author of a record of a file} */
    static int author(ByteBuffer record) throws IOException {
        long author = record.getLong(0);
        if (author < 0 || author > Integer.MAX_VALUE) {
            throw new IOException("a record of " + author);
        }
        return (int) author;
    }

    /** Checks that a record of a file is a certain one of its author. */
    static void requireNumber(ByteBuffer record, long number) throws IOException {
        if (record.getLong(NUMBER) != number || record.getLong(LAST) != number) {
            throw new IOException("record " + record.getLong(NUMBER) + " of " + author(record) + ", ending with "
                    + record.getLong(LAST) + ", instead of record " + number);
        }
    }
}
