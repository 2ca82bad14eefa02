package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;
import java.nio.ByteBuffer;

/**
 * The argument of {@code sendmsg} and {@code recvmsg}. Only Linux has 64 bits for the number of elements and for the
 * length of the control data.
 */
@CStruct(value = "struct msghdr", headers = "sys/socket.h")
public final class Msghdr {

    public static final int SIZE = PerSystem.of(56, 48);
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
    public static final int FLAGS = PerSystem.of(48, 44);

    private static final boolean LONG_COUNTS = SIZE == 56;

    private Msghdr() {
    }

    /** Fills in all of it, without control data. */
    public static void set(ByteBuffer memory, int at, long name, int nameLength, long iov, int iovLength) {
        memory.putLong(at + NAME, name);
        memory.putInt(at + NAMELEN, nameLength);
        memory.putLong(at + IOV, iov);
        putCount(memory, at + IOVLEN, iovLength);
        memory.putLong(at + CONTROL, 0);
        putCount(memory, at + CONTROLLEN, 0);
        memory.putInt(at + FLAGS, 0);
    }

    /** Sets the memory for control data. */
    public static void control(ByteBuffer memory, int at, long control, int controlLength) {
        memory.putLong(at + CONTROL, control);
        putCount(memory, at + CONTROLLEN, controlLength);
    }

    /** {@return the length in bytes of the control data that the call has filled in} */
    public static int controlLength(ByteBuffer memory, int at) {
        return count(memory, at + CONTROLLEN);
    }

    /** Changes the number of elements. */
    public static void iovLength(ByteBuffer memory, int at, int iovLength) {
        putCount(memory, at + IOVLEN, iovLength);
    }

    /** {@return the number of elements} */
    public static int iovLength(ByteBuffer memory, int at) {
        return count(memory, at + IOVLEN);
    }

    private static int count(ByteBuffer memory, int at) {
        return LONG_COUNTS ? (int) memory.getLong(at) : memory.getInt(at);
    }

    private static void putCount(ByteBuffer memory, int at, int count) {
        if (LONG_COUNTS) {
            memory.putLong(at, count);
        } else {
            memory.putInt(at, count);
        }
    }

    /** {@return how many bytes of the address the call filled in} */
    public static int nameLength(ByteBuffer memory, int at) {
        return memory.getInt(at + NAMELEN);
    }

    /** Changes the length of the address, or of the space for it. */
    public static void nameLength(ByteBuffer memory, int at, int nameLength) {
        memory.putInt(at + NAMELEN, nameLength);
    }

    /** {@return the flags that the call set, such as {@code MSG_TRUNC}} */
    public static int flags(ByteBuffer memory, int at) {
        return memory.getInt(at + FLAGS);
    }
}
