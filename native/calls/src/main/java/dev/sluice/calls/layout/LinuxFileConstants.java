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

    public static final int F_GET_SEALS = 1034;

    private LinuxFileConstants() {
    }
}
