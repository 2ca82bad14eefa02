package dev.sluice.samples.wal;

import static dev.sluice.samples.wal.SegmentHeader.BLOCK;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.Condition;

/**
 * The records that are written together, and the threads that wait for them. Used under the lock of the log. Without
 * it, the thread that writes the group may {@linkplain #seal seal} it and use these bytes: no other thread uses the
 * bytes then, until the group is cleared.
 */
public final class Group {

    private final ByteBuffer bytes;
    private final Condition written;
    private long first;
    private long last;

    /**
     * Creates an empty group.
     *
     * @param size    its capacity in bytes, a multiple of the block size
     * @param written a condition of the lock of the log, which no other group uses
     */
    public Group(int size, Condition written) {
        // Aligned for direct writes.
        this.bytes = ByteBuffer.allocateDirect(size + BLOCK).alignedSlice(BLOCK).slice(0, size);
        this.written = written;
    }

    /** {@return whether it has no records} */
    public boolean isEmpty() {
        return bytes.position() == 0;
    }

    /**
     * Returns whether another record fits.
     *
     * @param length the length of the record in bytes
     * @return true if it fits
     */
    public boolean hasSpace(int length) {
        return RecordFormat.size(length) <= bytes.remaining();
    }

    /**
     * Adds a copy of a record, for which there must be {@linkplain #hasSpace space}.
     *
     * @param format the format of the records of the log
     * @param number the number of the record
     * @param record the bytes, at least one; the position stays
     */
    public void add(RecordFormat format, long number, ByteBuffer record) {
        if (isEmpty()) {
            first = number;
        }
        format.put(bytes, number, first, record);
        last = number;
    }

    /** {@return the number of the last record} */
    public long last() {
        return last;
    }

    /** {@return the number of bytes to write} */
    int length() {
        return bytes.position() + BLOCK - 1 & -BLOCK;
    }

    /**
     * {@return the whole blocks to write, padded with zeros; always the same direct buffer, at an address for direct
     * writes} No record may be added before the group has been cleared.
     */
    public ByteBuffer seal() {
        int length = length();
        while (bytes.position() < length) {
            bytes.putLong(0);
        }
        return bytes.flip();
    }

    /** Waits until the group has been written, or has failed, or for no reason. An interrupt does not end the wait. */
    public void await() {
        written.awaitUninterruptibly();
    }

    /** Wakes one of the threads that wait, if there are any, so that it writes the group. */
    void signal() {
        written.signal();
    }

    /** Ends the waits, after the group has been written or the log has stopped. */
    public void signalAll() {
        written.signalAll();
    }

    /** Makes the group empty, after it has been written. */
    public void clear() {
        bytes.clear();
    }
}
