package dev.sluice.samples.gnutella.message;

import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The 16 bytes that identify a message or a servent.
 *
 * @param high its first eight bytes
 * @param low  the others
 */
public record Guid(long high, long low) {

    /** Number of bytes that it has. */
    public static final int BYTES = 16;

    /** New servents mark their GUIDs by the ninth byte, which is 255, and the last one, which is 0. */
    private static final long MARK = 0xFFL << 56;
    private static final long UNMARKED = 0x00FF_FFFF_FFFF_FF00L;

    /** {@return a new one} */
    public static Guid random() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new Guid(random.nextLong(), random.nextLong() & UNMARKED | MARK);
    }

    /**
     * Reads one.
     *
     * @param bytes the bytes, big-endian; stays as it is
     * @param at    index of its first byte
     * @return the GUID
     */
    static Guid read(ByteBuffer bytes, int at) {
        return new Guid(bytes.getLong(at), bytes.getLong(at + Long.BYTES));
    }
}
