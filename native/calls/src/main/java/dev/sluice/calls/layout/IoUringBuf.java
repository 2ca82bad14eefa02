package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** A provided buffer in its ring. The ring's tail is in the unused bytes of the first entry. */
@CStruct(value = "struct io_uring_buf", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringBuf {

    public static final int SIZE = 16;
    public static final int ADDR = 0;
    public static final int LEN = 8;
    public static final int BID = 12;
    @CName("resv")
    public static final int TAIL = 14;

    private IoUringBuf() {
    }

    /** Fills in an entry, without the last two bytes, which in the first entry are the ring's tail. */
    public static void set(ByteBuffer memory, int at, long address, int length, int id) {
        memory.putLong(at + ADDR, address);
        memory.putInt(at + LEN, length);
        memory.putShort(at + BID, (short) id);
    }
}
