package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** The argument of {@code sendmsg} and {@code recvmsg}. */
@CStruct(value = "struct msghdr", headers = "sys/socket.h")
public final class Msghdr {

    public static final int SIZE = 56;
    @CName("msg_name")
    public static final int NAME = 0;
    @CName("msg_namelen")
    public static final int NAMELEN = 8;
    @CName("msg_iov")
    public static final int IOV = 16;
    @CName("msg_iovlen")
    public static final int IOVLEN = 24;
    @CName("msg_control")
    public static final int CONTROL = 32;
    @CName("msg_controllen")
    public static final int CONTROLLEN = 40;
    @CName("msg_flags")
    public static final int FLAGS = 48;

    private Msghdr() {
    }

    /** Fills in all of it, without control data. */
    public static void set(ByteBuffer memory, int at, long name, int nameLength, long iov, int iovLength) {
        memory.putLong(at + NAME, name);
        memory.putInt(at + NAMELEN, nameLength);
        memory.putLong(at + IOV, iov);
        memory.putLong(at + IOVLEN, iovLength);
        memory.putLong(at + CONTROL, 0);
        memory.putLong(at + CONTROLLEN, 0);
        memory.putInt(at + FLAGS, 0);
    }

    /** {@return how many bytes of the address the call filled in} */
    public static int nameLength(ByteBuffer memory, int at) {
        return memory.getInt(at + NAMELEN);
    }

    /** {@return the flags that the call set, such as {@code MSG_TRUNC}} */
    public static int flags(ByteBuffer memory, int at) {
        return memory.getInt(at + FLAGS);
    }
}
