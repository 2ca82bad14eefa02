package dev.sluice.calls.layout;

/** Registers a ring of provided buffers. */
@CStruct(value = "struct io_uring_buf_reg", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringBufReg {

    public static final int SIZE = 40;
    public static final int RING_ADDR = 0;
    public static final int RING_ENTRIES = 8;
    public static final int BGID = 12;

    private IoUringBufReg() {
    }
}
