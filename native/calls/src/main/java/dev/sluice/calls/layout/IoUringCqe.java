package dev.sluice.calls.layout;

/** A completion queue entry. */
@CStruct(value = "struct io_uring_cqe", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringCqe {

    public static final int SIZE = 16;
    /** The user data of the submission. */
    public static final int USER_DATA = 0;
    /** The result, as the system call of the operation would give it, errors negated. */
    public static final int RES = 8;
    /** The {@code IORING_CQE_F_} flags. */
    public static final int FLAGS = 12;

    private IoUringCqe() {
    }
}
