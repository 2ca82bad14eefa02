package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** How {@code openat2} opens a file. */
@CStruct(value = "struct open_how", headers = "linux/openat2.h", on = On.LINUX)
public final class OpenHow {

    public static final int SIZE = 24;
    public static final int FLAGS = 0;
    public static final int MODE = 8;
    public static final int RESOLVE = 16;

    /** Refuses a path that leads out of the directory in which it begins, be it by {@code ..} or by a link. */
    @CName("=RESOLVE_BENEATH")
    public static final int RESOLVE_BENEATH = 8;

    private OpenHow() {
    }

    /**
     * Fills in the structure for a path that must not lead out of its directory.
     *
     * @param memory where it lies
     * @param at     its offset
     * @param flags  of {@code open}
     * @param mode   the permissions of a file that is created
     */
    public static void setBeneath(ByteBuffer memory, int at, int flags, int mode) {
        // Unlike open, the call refuses permissions if nothing is created.
        boolean creates = (flags & (FileConstants.O_CREAT | FileConstants.O_TMPFILE & ~FileConstants.O_DIRECTORY)) != 0;
        memory.putLong(at + FLAGS, Integer.toUnsignedLong(flags)).putLong(at + MODE, creates ? mode : 0)
                .putLong(at + RESOLVE, RESOLVE_BENEATH);
    }
}
