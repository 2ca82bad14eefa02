package dev.sluice.calls.layout;

/** The operations that the kernel supports: a header, then one {@link IoUringProbeOp} each. */
@CStruct(value = "struct io_uring_probe", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringProbe {

    public static final int SIZE = 16;
    public static final int LAST_OP = 0;
    public static final int OPS_LEN = 1;
    public static final int OPS = 16;

    private IoUringProbe() {
    }
}
