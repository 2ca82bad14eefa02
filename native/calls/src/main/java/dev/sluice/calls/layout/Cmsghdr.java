package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** The header of each piece of control data. */
@CStruct(value = "struct cmsghdr", headers = "sys/socket.h", on = On.LINUX)
public final class Cmsghdr {

    public static final int SIZE = 16;
    @CName("cmsg_len")
    public static final int LEN = 0;
    @CName("cmsg_level")
    public static final int LEVEL = 8;
    @CName("cmsg_type")
    public static final int TYPE = 12;
    /** Offset of the data, which {@code CMSG_DATA} points to. */
    @CName("=CMSG_LEN(0)")
    public static final int DATA = 16;
    /** The space for a piece of control data that is an {@code int}. */
    @CName("=CMSG_SPACE(sizeof(int))")
    public static final int SPACE_FOR_INT = 24;
    /** The space for a piece of control data that is a number of 16 bits. */
    @CName("=CMSG_SPACE(sizeof(short))")
    public static final int SPACE_FOR_SHORT = 24;

    private Cmsghdr() {
    }

    /**
     * Finds the first piece of control data of a type that holds an {@code int}. Each piece is aligned like a {@code
     * size_t} (CMSG_ALIGN); a truncated one is ignored.
     *
     * @param memory the memory that holds the control data
     * @param at     their offset in bytes
     * @param length their total length, as the call returned it
     * @param level  the protocol level
     * @param type   the type within that level
     * @return the offset of its header, -1 if there is none
     */
    public static int findInt(ByteBuffer memory, int at, int length, int level, int type) {
        int end = at + length;
        for (int header = at; end - header >= SIZE;) {
            long size = memory.getLong(header + LEN);
            if (size < SIZE || size > end - header) {
                break;
            }
            if (size >= DATA + Integer.BYTES && memory.getInt(header + LEVEL) == level
                    && memory.getInt(header + TYPE) == type) {
                return header;
            }
            long next = header + (size + Long.BYTES - 1 & -Long.BYTES);
            if (next > end) {
                break;
            }
            header = (int) next;
        }
        return -1;
    }

    /** Fills in a piece of control data that is a number of 16 bits. */
    public static void setShort(ByteBuffer memory, int at, int level, int type, short value) {
        memory.putLong(at + LEN, DATA + Short.BYTES);
        memory.putInt(at + LEVEL, level);
        memory.putInt(at + TYPE, type);
        memory.putShort(at + DATA, value);
    }

    /** {@return the data, an {@code int}, of the piece whose header is at that index} */
    public static int intData(ByteBuffer memory, int at) {
        return memory.getInt(at + DATA);
    }
}
