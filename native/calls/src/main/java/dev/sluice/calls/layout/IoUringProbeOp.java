package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** Whether the kernel supports one operation. */
@CStruct(value = "struct io_uring_probe_op", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringProbeOp {

    public static final int SIZE = 8;
    public static final int OP = 0;
    public static final int FLAGS = 2;

    private IoUringProbeOp() {
    }

    /** {@return the {@code IO_URING_OP_} flags} */
    public static int flags(ByteBuffer memory, int at) {
        return Short.toUnsignedInt(memory.getShort(at + FLAGS));
    }
}
