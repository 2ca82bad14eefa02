package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** A completion queue entry. */
@CStruct(value = "struct io_uring_cqe", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringCqe {

    public static final int SIZE = 16;
    public static final int USER_DATA = 0;
    public static final int RES = 8;
    public static final int FLAGS = 12;

    private IoUringCqe() {
    }

    /** {@return what the submission carried} */
    public static long userData(ByteBuffer memory, int at) {
        return memory.getLong(at + USER_DATA);
    }

    /** {@return the result, as the system call of the operation would give it, errors negated} */
    public static int result(ByteBuffer memory, int at) {
        return memory.getInt(at + RES);
    }

    /** {@return the {@code IORING_CQE_F_} flags} */
    public static int flags(ByteBuffer memory, int at) {
        return memory.getInt(at + FLAGS);
    }
}
