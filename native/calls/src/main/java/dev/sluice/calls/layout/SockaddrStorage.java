package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** Room for any socket address. */
@CStruct(value = "struct sockaddr_storage", headers = "sys/socket.h")
public final class SockaddrStorage {

    public static final int SIZE = 128;
    @CName("ss_family")
    public static final int FAMILY = 0;

    private SockaddrStorage() {
    }

    /** {@return the address family} */
    public static int family(ByteBuffer memory, int at) {
        return memory.getShort(at + FAMILY);
    }

    /** Sets the address family. */
    public static void family(ByteBuffer memory, int at, int family) {
        memory.putShort(at + FAMILY, (short) family);
    }
}
