package dev.sluice.system;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Statx;
import java.nio.ByteBuffer;

/** The arguments of {@code statx} that read the attributes of a file, and the conversion of its result. */
public final class StatxResult {

    /** The members to fill in. */
    public static final int MASK = Statx.BASIC_STATS | Statx.HAS_BTIME;
    /** An empty path means the file itself, and a symbolic link is not followed. */
    public static final int FLAGS = FileConstants.AT_EMPTY_PATH | FileConstants.AT_SYMLINK_NOFOLLOW;

    private StatxResult() {
    }

    /**
     * Stores a result at {@link Scratch#STATUS_MODE} and the following offsets.
     *
     * @param from    memory with the structure that {@code statx} has filled in
     * @param at      the offset of the structure
     * @param scratch memory to store the attributes in, which the structure may be in as well
     */
    public static void store(ByteBuffer from, int at, Scratch scratch) {
        long device = (long) from.getInt(at + Statx.DEV_MAJOR) << Integer.SIZE
                | Integer.toUnsignedLong(from.getInt(at + Statx.DEV_MINOR));
        scratch.identity(device, from.getLong(at + Statx.INO), from.getShort(at + Statx.MODE),
                from.getInt(at + Statx.NLINK));
        scratch.owners(from.getInt(at + Statx.UID), from.getInt(at + Statx.GID));
        scratch.sizes(from.getLong(at + Statx.FILE_SIZE), from.getLong(at + Statx.BLOCKS));
        scratch.time(Scratch.STATUS_MODIFIED, from.getLong(at + Statx.MTIME_SEC), from.getInt(at + Statx.MTIME_NSEC));
        scratch.time(Scratch.STATUS_ACCESSED, from.getLong(at + Statx.ATIME),
                from.getInt(at + Statx.ATIME + Long.BYTES));
        int created = (from.getInt(at + Statx.MASK) & Statx.HAS_BTIME) != 0 ? Statx.BTIME : Statx.MTIME_SEC;
        scratch.time(Scratch.STATUS_CREATED, from.getLong(at + created), from.getInt(at + created + Long.BYTES));
    }
}
