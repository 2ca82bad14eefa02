package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** One message of {@code recvmmsg}: a {@link Msghdr}, and how long what was received is. */
@CStruct(value = "struct mmsghdr", headers = "sys/socket.h", on = On.LINUX)
public final class Mmsghdr {

    public static final int SIZE = 64;
    @CName("msg_hdr")
    public static final int HDR = 0;
    @CName("msg_len")
    public static final int LEN = 56;

    private Mmsghdr() {
    }

    /** {@return the bytes that were received; with {@code MSG_TRUNC} those of a datagram that was cut off, too} */
    public static int length(ByteBuffer memory, int at) {
        return memory.getInt(at + LEN);
    }
}
