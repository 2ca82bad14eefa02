package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** Registers a ring of provided buffers. */
@CStruct(value = "struct io_uring_buf_reg", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringBufReg {

    public static final int SIZE = 40;
    public static final int RING_ADDR = 0;
    public static final int RING_ENTRIES = 8;
    public static final int BGID = 12;

    private IoUringBufReg() {
    }

    /** Names the ring, and the group of its buffers. */
    public static void set(ByteBuffer memory, int at, long ring, int entries, int group) {
        memory.putLong(at + RING_ADDR, ring);
        memory.putInt(at + RING_ENTRIES, entries);
        memory.putShort(at + BGID, (short) group);
    }
}
