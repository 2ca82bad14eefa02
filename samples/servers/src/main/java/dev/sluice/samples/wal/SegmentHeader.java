package dev.sluice.samples.wal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The first block of a segment.
 *
 * @param logId     a random number, which is the same in all segments of a log
 * @param number    the number of the segment in the log, from 1
 * @param size      the length of the segment in bytes
 * @param groupSize the maximum length of a group in bytes
 */
public record SegmentHeader(long logId, long number, int size, int groupSize) {

    /** The unit of all writes, in bytes. */
    public static final int BLOCK = 4096;

    private static final long MAGIC = 0x536C756963654C31L;

    // Offsets
    private static final int LOG_ID = 8;
    private static final int NUMBER = 16;
    private static final int SIZE = 24;
    private static final int GROUP_SIZE = 28;
    private static final int CHECKSUM = 32;

    /** {@return the first position of a block that is not before the given position} */
    static int blockAt(int position) {
        return Math.addExact(position, BLOCK - 1) & -BLOCK;
    }

    /** {@return the header of the segment that follows this one} */
    public SegmentHeader next() {
        return new SegmentHeader(logId, number + 1, size, groupSize);
    }

    /** {@return the name of the file} */
    public String fileName() {
        return String.format(Locale.ROOT, "%016x.wal", number);
    }

    /**
     * Stores the header at the beginning of a buffer, whose position stays.
     *
     * @param block a big-endian buffer of at least {@value #BLOCK} bytes; those after the header stay as they are
     */
    public void put(ByteBuffer block) {
        block.putLong(0, MAGIC).putLong(LOG_ID, logId).putLong(NUMBER, number).putInt(SIZE, size)
                .putInt(GROUP_SIZE, groupSize).putInt(CHECKSUM, checksum(block));
    }

    /**
     * Reads the header of a segment.
     *
     * @param bytes all bytes of the file
     * @param path  the file, for messages
     * @throws IOException if it is not an intact header, or that of a file of another name or of a shorter one
     */
    static SegmentHeader read(ByteBuffer bytes, Path path) throws IOException {
        if (bytes.limit() < BLOCK || bytes.getLong(0) != MAGIC || bytes.getInt(CHECKSUM) != checksum(bytes)) {
            throw new IOException(path + " is not a segment of a log, or its header is damaged");
        }
        SegmentHeader header = new SegmentHeader(bytes.getLong(LOG_ID), bytes.getLong(NUMBER), bytes.getInt(SIZE),
                bytes.getInt(GROUP_SIZE));
        if (header.size < bytes.limit() || !header.fileName().equals(path.getFileName().toString())) {
            throw new IOException(path + " has " + bytes.limit() + " bytes, and its header is that of "
                    + header.fileName() + " with " + header.size);
        }
        return header;
    }

    private static int checksum(ByteBuffer block) {
        CRC32C crc = new CRC32C();
        crc.update(block.slice(0, CHECKSUM));
        return (int) crc.getValue();
    }
}
