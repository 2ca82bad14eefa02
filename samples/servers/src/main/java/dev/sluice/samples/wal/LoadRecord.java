package dev.sluice.samples.wal;

import java.nio.ByteBuffer;

/**
 * What {@code sluice wal} appends: each thread counts its records, so that a lost one is missed and a repeated one is
 * noticed.
 *
 * @param run    a random number of the process
 * @param thread the number of the thread, from 1
 * @param count  the number of the record among those of the thread, from 1
 */
record LoadRecord(long run, int thread, long count) {

    static final int MIN_LENGTH = Long.BYTES + Integer.BYTES + Long.BYTES;

    /** Stores the record at the beginning of a buffer. */
    void put(ByteBuffer record) {
        record.putLong(0, run).putInt(Long.BYTES, thread).putLong(Long.BYTES + Integer.BYTES, count);
    }

    static LoadRecord read(ByteBuffer record) {
        return new LoadRecord(record.getLong(0), record.getInt(Long.BYTES), record.getLong(Long.BYTES + Integer.BYTES));
    }

    /** {@return for example {@code 5f1c 3 17}} */
    @Override
    public String toString() {
        return Long.toHexString(run) + " " + thread + " " + count;
    }
}
