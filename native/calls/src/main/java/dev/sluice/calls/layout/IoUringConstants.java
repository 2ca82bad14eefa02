package dev.sluice.calls.layout;

/** Flags, operations and commands of io_uring. */
@CConstants(headers = {"linux/io_uring.h", "linux/ioprio.h"}, on = On.LINUX)
public final class IoUringConstants {

    // io_uring_setup
    public static final int IORING_SETUP_CQSIZE = 1 << 3;
    public static final int IORING_SETUP_CLAMP = 1 << 4;
    public static final int IORING_SETUP_R_DISABLED = 1 << 6;
    public static final int IORING_SETUP_SUBMIT_ALL = 1 << 7;
    public static final int IORING_SETUP_COOP_TASKRUN = 1 << 8;
    public static final int IORING_SETUP_SINGLE_ISSUER = 1 << 12;
    public static final int IORING_SETUP_DEFER_TASKRUN = 1 << 13;

    public static final int IORING_FEAT_SINGLE_MMAP = 1;
    public static final int IORING_FEAT_NODROP = 1 << 1;
    public static final int IORING_FEAT_SUBMIT_STABLE = 1 << 2;
    public static final int IORING_FEAT_EXT_ARG = 1 << 8;

    // The offsets to mmap at
    public static final int IORING_OFF_SQ_RING = 0;
    public static final int IORING_OFF_SQES = 0x10000000;

    // io_uring_enter
    public static final int IORING_ENTER_GETEVENTS = 1;
    public static final int IORING_ENTER_EXT_ARG = 1 << 3;

    // Flags in the rings
    public static final int IORING_SQ_CQ_OVERFLOW = 1 << 1;
    public static final int IORING_CQE_F_BUFFER = 1;
    public static final int IORING_CQE_F_MORE = 1 << 1;
    public static final int IORING_CQE_F_SOCK_NONEMPTY = 1 << 2;
    public static final int IORING_CQE_F_NOTIF = 1 << 3;
    public static final int IORING_CQE_BUFFER_SHIFT = 16;

    // io_uring_register
    public static final int IORING_REGISTER_PROBE = 8;
    public static final int IORING_REGISTER_ENABLE_RINGS = 12;
    public static final int IORING_REGISTER_BUFFERS2 = 15;
    public static final int IORING_REGISTER_BUFFERS_UPDATE = 16;
    public static final int IORING_REGISTER_IOWQ_MAX_WORKERS = 19;
    public static final int IORING_REGISTER_PBUF_RING = 22;
    public static final int IORING_UNREGISTER_PBUF_RING = 23;
    public static final int IO_URING_OP_SUPPORTED = 1;
    public static final int IORING_RSRC_REGISTER_SPARSE = 1;

    // Operations
    public static final int IORING_OP_NOP = 0;
    public static final int IORING_OP_READV = 1;
    public static final int IORING_OP_WRITEV = 2;
    public static final int IORING_OP_FSYNC = 3;
    public static final int IORING_OP_READ_FIXED = 4;
    public static final int IORING_OP_WRITE_FIXED = 5;
    public static final int IORING_OP_POLL_ADD = 6;
    public static final int IORING_OP_POLL_REMOVE = 7;
    public static final int IORING_OP_SYNC_FILE_RANGE = 8;
    public static final int IORING_OP_SENDMSG = 9;
    public static final int IORING_OP_RECVMSG = 10;
    public static final int IORING_OP_TIMEOUT = 11;
    public static final int IORING_OP_ACCEPT = 13;
    public static final int IORING_OP_ASYNC_CANCEL = 14;
    public static final int IORING_OP_CONNECT = 16;
    public static final int IORING_OP_FALLOCATE = 17;
    public static final int IORING_OP_OPENAT = 18;
    public static final int IORING_OP_CLOSE = 19;
    public static final int IORING_OP_STATX = 21;
    public static final int IORING_OP_READ = 22;
    public static final int IORING_OP_WRITE = 23;
    public static final int IORING_OP_FADVISE = 24;
    public static final int IORING_OP_SEND = 26;
    public static final int IORING_OP_RECV = 27;
    public static final int IORING_OP_OPENAT2 = 28;
    public static final int IORING_OP_SPLICE = 30;
    public static final int IORING_OP_SHUTDOWN = 34;
    public static final int IORING_OP_RENAMEAT = 35;
    public static final int IORING_OP_UNLINKAT = 36;
    public static final int IORING_OP_MKDIRAT = 37;
    public static final int IORING_OP_LINKAT = 39;
    public static final int IORING_OP_SOCKET = 45;
    public static final int IORING_OP_SEND_ZC = 47;
    /** Since Linux 6.9. */
    @Undeclared
    public static final int IORING_OP_FTRUNCATE = 55;

    public static final int IOSQE_IO_LINK = 1 << 2;
    public static final int IOSQE_ASYNC = 1 << 4;
    public static final int IOSQE_BUFFER_SELECT = 1 << 5;

    public static final int IORING_FSYNC_DATASYNC = 1;
    public static final int IORING_POLL_ADD_MULTI = 1;
    public static final int IORING_POLL_UPDATE_EVENTS = 1 << 1;
    public static final int IORING_ASYNC_CANCEL_ALL = 1;
    public static final int IORING_ASYNC_CANCEL_FD = 1 << 1;
    public static final int IORING_RECVSEND_POLL_FIRST = 1;
    public static final int IORING_RECV_MULTISHOT = 1 << 1;
    public static final int IORING_ACCEPT_MULTISHOT = 1;

    // What the field ioprio of reads and writes is made of (ioprio_set(2))
    public static final int IOPRIO_CLASS_SHIFT = 13;
    public static final int IOPRIO_CLASS_BE = 2;
    public static final int IOPRIO_CLASS_IDLE = 3;

    private IoUringConstants() {
    }
}
