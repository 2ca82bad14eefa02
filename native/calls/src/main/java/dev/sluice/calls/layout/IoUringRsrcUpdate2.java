package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** Replaces entries of a table of buffers or files. */
@CStruct(value = "struct io_uring_rsrc_update2", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringRsrcUpdate2 {

    public static final int SIZE = 32;
    public static final int OFFSET = 0;
    public static final int DATA = 8;
    public static final int TAGS = 16;
    public static final int NR = 24;

    private IoUringRsrcUpdate2() {
    }

    /** Names one entry, without a tag, and the address of what it is replaced with. */
    public static void set(ByteBuffer memory, int at, int entry, long data) {
        memory.putInt(at + OFFSET, entry);
        memory.putInt(at + OFFSET + Integer.BYTES, 0);
        memory.putLong(at + DATA, data);
        memory.putLong(at + TAGS, 0);
        memory.putInt(at + NR, 1);
        memory.putInt(at + NR + Integer.BYTES, 0);
    }
}
