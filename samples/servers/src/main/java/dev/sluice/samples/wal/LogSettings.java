package dev.sluice.samples.wal;

/**
 * The sizes of a log, and how it is written.
 *
 * @param segmentSize   the length of each new segment in bytes, a multiple of {@value SegmentHeader#BLOCK}
 * @param groupSize     the maximum length of the records that are written together, in bytes; a multiple of
 *                      {@value SegmentHeader#BLOCK}, and at most what fits into a segment behind its header
 * @param demultiplexer the name of the demultiplexer that writes for virtual threads
 */
public record LogSettings(int segmentSize, int groupSize, String demultiplexer) {

    /** Default length of a segment, in bytes. */
    public static final int DEFAULT_SEGMENT = 16 << 20;
    /** Default maximum length of a group, in bytes. */
    public static final int DEFAULT_GROUP = 256 << 10;

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if a size is not a multiple of a block, or a group does not fit into a segment
     */
    public LogSettings {
        require(groupSize, "group");
        require(segmentSize, "segment");
        if (groupSize > segmentSize - SegmentHeader.BLOCK) {
            throw new IllegalArgumentException("a group of " + groupSize + " bytes does not fit into a segment of "
                    + segmentSize + " bytes");
        }
    }

    private static void require(int size, String what) {
        if (size < SegmentHeader.BLOCK || size % SegmentHeader.BLOCK != 0) {
            throw new IllegalArgumentException(
                    what + " size: " + size + " is not a multiple of " + SegmentHeader.BLOCK + " bytes");
        }
    }
}
