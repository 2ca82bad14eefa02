package dev.sluice.calls.layout;

/** Flags of calls on files that only Linux has. */
@CConstants(headers = {"fcntl.h", "linux/falloc.h", "linux/fs.h"}, on = On.LINUX)
public final class LinuxFileConstants {

    public static final int FALLOC_FL_KEEP_SIZE = 1;
    public static final int FALLOC_FL_PUNCH_HOLE = 2;

    public static final int SYNC_FILE_RANGE_WAIT_BEFORE = 1;
    public static final int SYNC_FILE_RANGE_WRITE = 2;
    public static final int SYNC_FILE_RANGE_WAIT_AFTER = 4;

    public static final int RENAME_NOREPLACE = 1;
    public static final int RENAME_EXCHANGE = 2;

    /** Fails with EAGAIN instead of waiting. */
    public static final int RWF_NOWAIT = 8;
    /** Writes at the position, although the file was opened for appending; since Linux 6.9. */
    @Undeclared
    public static final int RWF_NOAPPEND = 0x20;
    /** Writes all bytes or none, also if the power fails; since Linux 6.11. */
    @Undeclared
    public static final int RWF_ATOMIC = 0x40;
    /** Leaves nothing in the cache; since Linux 6.14. */
    @Undeclared
    public static final int RWF_DONTCACHE = 0x80;

    public static final int F_GET_SEALS = 1034;

    private LinuxFileConstants() {
    }
}
