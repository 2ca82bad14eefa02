package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** What comes before each piece of control data. */
@CStruct(value = "struct cmsghdr", headers = "sys/socket.h", on = On.LINUX)
public final class Cmsghdr {

    public static final int SIZE = 16;
    @CName("cmsg_len")
    public static final int LEN = 0;
    @CName("cmsg_level")
    public static final int LEVEL = 8;
    @CName("cmsg_type")
    public static final int TYPE = 12;
    /** Where the data begins, which {@code CMSG_DATA} points to. */
    @CName("=CMSG_LEN(0)")
    public static final int DATA = 16;
    /** The room for a piece of control data that is an {@code int}. */
    @CName("=CMSG_SPACE(sizeof(int))")
    public static final int SPACE_FOR_INT = 24;

    private Cmsghdr() {
    }

    /** {@return whether this is control data of the kind} */
    public static boolean is(ByteBuffer memory, int at, int level, int type) {
        return memory.getInt(at + LEVEL) == level && memory.getInt(at + TYPE) == type;
    }

    /** {@return the data, an {@code int}} */
    public static int intData(ByteBuffer memory, int at) {
        return memory.getInt(at + DATA);
    }
}
