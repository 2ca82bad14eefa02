package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** Registers a table of buffers or files. */
@CStruct(value = "struct io_uring_rsrc_register", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringRsrcRegister {

    public static final int SIZE = 32;
    public static final int NR = 0;
    public static final int FLAGS = 4;
    public static final int DATA = 16;
    public static final int TAGS = 24;

    private IoUringRsrcRegister() {
    }

    /** Asks for an empty table, since Linux 5.19. */
    public static void setSparse(ByteBuffer memory, int at, int entries) {
        memory.putInt(at + NR, entries);
        memory.putInt(at + FLAGS, IoUringConstants.IORING_RSRC_REGISTER_SPARSE);
        memory.putLong(at + FLAGS + Integer.BYTES, 0);
        memory.putLong(at + DATA, 0);
        memory.putLong(at + TAGS, 0);
    }
}
