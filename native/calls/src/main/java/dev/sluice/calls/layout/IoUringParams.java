package dev.sluice.calls.layout;

/** The argument and result of {@code io_uring_setup}, including the ring offsets of both queues. */
@CStruct(value = "struct io_uring_params", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringParams {

    public static final int SIZE = 120;
    public static final int SQ_ENTRIES = 0;
    public static final int CQ_ENTRIES = 4;
    public static final int FLAGS = 8;
    public static final int FEATURES = 20;
    @CName("sq_off.head")
    public static final int SQ_HEAD = 40;
    @CName("sq_off.tail")
    public static final int SQ_TAIL = 44;
    @CName("sq_off.ring_mask")
    public static final int SQ_RING_MASK = 48;
    @CName("sq_off.ring_entries")
    public static final int SQ_RING_ENTRIES = 52;
    @CName("sq_off.flags")
    public static final int SQ_FLAGS = 56;
    @CName("sq_off.dropped")
    public static final int SQ_DROPPED = 60;
    @CName("sq_off.array")
    public static final int SQ_ARRAY = 64;
    @CName("cq_off.head")
    public static final int CQ_HEAD = 80;
    @CName("cq_off.tail")
    public static final int CQ_TAIL = 84;
    @CName("cq_off.ring_mask")
    public static final int CQ_RING_MASK = 88;
    @CName("cq_off.ring_entries")
    public static final int CQ_RING_ENTRIES = 92;
    @CName("cq_off.overflow")
    public static final int CQ_OVERFLOW = 96;
    @CName("cq_off.cqes")
    public static final int CQ_CQES = 100;

    private IoUringParams() {
    }
}
