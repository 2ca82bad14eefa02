package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** One message of {@code recvmmsg} or {@code sendmmsg}: a {@link Msghdr}, and the number of bytes moved. */
@CStruct(value = "struct mmsghdr", headers = "sys/socket.h", on = On.LINUX)
public final class Mmsghdr {

    public static final int SIZE = 64;
    @CName("msg_hdr")
    public static final int HDR = 0;
    @CName("msg_len")
    public static final int LEN = 56;

    private Mmsghdr() {
    }

    /**
     * {@return the number of bytes received or sent; with {@code MSG_TRUNC}, the full length of a truncated datagram}
     */
    public static int length(ByteBuffer memory, int at) {
        return memory.getInt(at + LEN);
    }

    /** Sets that number. */
    public static void length(ByteBuffer memory, int at, int length) {
        memory.putInt(at + LEN, length);
    }
}
