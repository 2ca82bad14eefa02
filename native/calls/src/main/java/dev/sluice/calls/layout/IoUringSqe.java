package dev.sluice.calls.layout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A submission queue entry. Unions appear under the name of their most used member. */
@CStruct(value = "struct io_uring_sqe", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringSqe {

    public static final int SIZE = 64;
    public static final int OPCODE = 0;
    public static final int FLAGS = 1;
    public static final int IOPRIO = 2;
    public static final int FD = 4;
    public static final int OFF = 8;
    public static final int ADDR = 16;
    public static final int LEN = 24;
    @CName("rw_flags")
    public static final int OP_FLAGS = 28;
    public static final int USER_DATA = 32;
    public static final int BUF_GROUP = 40;
    public static final int SPLICE_FD_IN = 44;

    private IoUringSqe() {
    }

    /** Fills in an entry; everything else in it is zero. */
    public static void set(ByteBuffer memory, int at, int opcode, int fd, long offset, long address, int length,
                           int operationFlags, long userData) {
        memory.putLong(at + OPCODE, 0);
        memory.put(at + OPCODE, (byte) opcode);
        memory.putInt(at + FD, fd);
        memory.putLong(at + OFF, offset);
        memory.putLong(at + ADDR, address);
        memory.putInt(at + LEN, length);
        memory.putInt(at + OP_FLAGS, operationFlags);
        memory.putLong(at + USER_DATA, userData);
        memory.putLong(at + BUF_GROUP, 0);
        memory.putLong(at + BUF_GROUP + Long.BYTES, 0);
        memory.putLong(at + BUF_GROUP + 2 * Long.BYTES, 0);
    }

    /**
     * The operation's flags of a request to poll. These were 16 bits at first; the 32 bits that replaced them have
     * their lower half in the same two bytes, so on a big-endian machine the halves are swapped (io_uring_enter(2),
     * IORING_OP_POLL_ADD). The events of a completion are not swapped.
     *
     * @param events of {@link PollConstants}
     * @param order  the machine's byte order, which is that of the entries
     * @return the value for {@link #OP_FLAGS}
     */
    public static int pollFlags(int events, ByteOrder order) {
        return order == ByteOrder.BIG_ENDIAN ? Integer.rotateLeft(events, Short.SIZE) : events;
    }
}
