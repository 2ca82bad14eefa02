package dev.sluice.system;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.LinuxFileConstants;

/** The calls on a range of a file that not all systems have. */
public enum RangeCall {
    /** Reserves space, and extends a file that is shorter. */
    ALLOCATE("reserves space for a part of a file", 0),
    /** Frees the space, which then reads as zeros. */
    PUNCH_HOLE("frees the space of a part of a file",
            LinuxFileConstants.FALLOC_FL_PUNCH_HOLE | LinuxFileConstants.FALLOC_FL_KEEP_SIZE),
    /** Begins to read the range into the cache. */
    PREFETCH("reads a part of a file ahead", FileConstants.POSIX_FADV_WILLNEED),
    /** Drops the range from the cache. */
    EVICT("drops a part of a file from the cache", FileConstants.POSIX_FADV_DONTNEED),
    /** Waits until what was written has been given to the disk, which may still have it in its own cache. */
    WRITE_BACK("writes back a part of a file", LinuxFileConstants.SYNC_FILE_RANGE_WAIT_BEFORE
            | LinuxFileConstants.SYNC_FILE_RANGE_WRITE | LinuxFileConstants.SYNC_FILE_RANGE_WAIT_AFTER);

    private final String purpose;
    private final int flags;

    RangeCall(String purpose, int flags) {
        this.purpose = purpose;
        this.flags = flags;
    }

    /** {@return the purpose of the call, for messages: a verb in the third person and its objects} */
    String purpose() {
        return purpose;
    }

    /** {@return the mode, advice or flags that Linux takes, and FreeBSD, as far as it has the same call} */
    public int flags() {
        return flags;
    }

    /**
     * {@return the length of a range to lock, as {@link SystemFiles#lock} takes it: 0 for everything up to the end}
     *
     * @param position the first byte
     * @param length   the number of bytes, or {@link Long#MAX_VALUE}
     * @throws IllegalArgumentException as for {@link #requireRange}
     */
    public static long lockedLength(long position, long length) {
        if (length == Long.MAX_VALUE && position >= 0) {
            return 0;
        }
        requireRange(position, length);
        return length;
    }

    /**
     * Checks that there is such a range.
     *
     * @param position the first byte
     * @param length   the number of bytes
     * @throws IllegalArgumentException if the position is negative, the length is not positive, or the range ends
     *                                  beyond the largest position
     */
    public static void requireRange(long position, long length) {
        if (position < 0 || length <= 0 || length > Long.MAX_VALUE - position) {
            throw new IllegalArgumentException("no range: " + length + " bytes from position " + position + " on");
        }
    }
}
