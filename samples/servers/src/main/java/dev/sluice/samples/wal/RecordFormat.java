package dev.sluice.samples.wal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The format of the records of a log: a header of checksum, length, number and the number of the first record of the
 * group, and the bytes, padded with zeros. The checksum also covers the random number of the log, so that the bytes of
 * a record cannot be made to look like another record. Used by one thread at a time.
 */
public final class RecordFormat {

    /** Records begin at multiples of this number. */
    static final int ALIGNMENT = 8;
    static final int HEADER = 24;

    // Offsets
    private static final int LENGTH = 4;
    private static final int NUMBER = 8;
    private static final int FIRST_OF_GROUP = 16;

    private final ByteBuffer logId = ByteBuffer.allocate(Long.BYTES);
    private final CRC32C crc = new CRC32C();

    /**
     * Creates the format of the records of one log.
     *
     * @param logId the random number of the log, from the headers of its segments
     */
    public RecordFormat(long logId) {
        this.logId.putLong(0, logId);
    }

    /** {@return the number of bytes that a record takes in the log} */
    static int size(int length) {
        return Math.addExact(length, HEADER + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /**
     * Adds a record to a buffer.
     *
     * @param target the buffer, whose position advances by the {@linkplain #size size} of the record
     * @param number the number of the record
     * @param first  the number of the first record of its group
     * @param bytes  the bytes of the record, at least one; the position stays
     */
    void put(ByteBuffer target, long number, long first, ByteBuffer bytes) {
        int at = target.position();
        int length = bytes.remaining();
        int next = at + size(length);
        // The padding is in these bytes.
        target.putLong(next - ALIGNMENT, 0).putInt(at + LENGTH, length).putLong(at + NUMBER, number)
                .putLong(at + FIRST_OF_GROUP, first);
        target.put(at + HEADER, bytes, bytes.position(), length);
        target.putInt(at, checksum(target, at, length));
        target.position(next);
    }

    /** {@return whether there is an intact record} */
    boolean isRecord(ByteBuffer source, int at) {
        if (at > source.limit() - HEADER) {
            return false;
        }
        int length = length(source, at);
        return length > 0 && length <= source.limit() - at - HEADER
                && source.getInt(at) == checksum(source, at, length);
    }

    /** {@return the length of a record in bytes; 0 if there is none} */
    static int length(ByteBuffer source, int at) {
        return source.getInt(at + LENGTH);
    }

    /** {@return the number of a record} */
    static long number(ByteBuffer source, int at) {
        return source.getLong(at + NUMBER);
    }

    /** {@return the number of the first record of the group of a record} */
    static long firstOfGroup(ByteBuffer source, int at) {
        return source.getLong(at + FIRST_OF_GROUP);
    }

    /** {@return the bytes of a record, read-only} */
    static ByteBuffer bytes(ByteBuffer source, int at) {
        return source.slice(at + HEADER, length(source, at)).asReadOnlyBuffer();
    }

    private int checksum(ByteBuffer buffer, int at, int length) {
        crc.reset();
        crc.update(logId.clear());
        crc.update(buffer.slice(at + LENGTH, HEADER - LENGTH + length));
        return (int) crc.getValue();
    }
}
