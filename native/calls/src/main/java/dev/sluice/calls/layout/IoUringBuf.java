package dev.sluice.calls.layout;

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
}
