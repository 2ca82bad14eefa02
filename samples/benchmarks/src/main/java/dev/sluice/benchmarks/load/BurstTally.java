package dev.sluice.benchmarks.load;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Counts the bytes of a connection that sends bursts, and computes their checksum. Both ends have one, and an
 * acknowledgement contains the tally of the receiver.
 */
public final class BurstTally {

    /** The bytes of an acknowledgement. */
    public static final int ACKNOWLEDGEMENT = 32;

    private final long burst;
    private final CRC32C checksum = new CRC32C();
    private long total;

    /**
     * Creates a tally of nothing.
     *
     * @param burst the bytes of a burst
     */
    public BurstTally(long burst) {
        this.burst = burst;
    }

    /**
     * Takes bytes up to the end of a burst.
     *
     * @param bytes from the position; what belongs to the next burst stays there
     * @return whether it is the end of a burst
     */
    public boolean take(ByteBuffer bytes) {
        int count = (int) Math.min(bytes.remaining(), left());
        int limit = bytes.limit();
        bytes.limit(bytes.position() + count);
        checksum.update(bytes);
        bytes.limit(limit);
        total += count;
        return count > 0 && total % burst == 0;
    }

    /** {@return the number of bytes that the burst lacks} */
    public long left() {
        return burst - total % burst;
    }

    /** {@return the acknowledgement of all bytes received} */
    public ByteBuffer acknowledgement() {
        return ByteBuffer.allocateDirect(ACKNOWLEDGEMENT).putLong(total).putLong(checksum.getValue()).putLong(0)
                .putLong(0).flip();
    }
}
