package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;
import java.nio.ByteBuffer;

/**
 * Space for any socket address. Every address begins with its family: in two bytes, or on systems descended from BSD in
 * one, after a byte with the structure's length. Their kernels write that length themselves, in addresses passed to
 * them as well as in those they return.
 */
@CStruct(value = "struct sockaddr_storage", headers = "sys/socket.h")
public final class SockaddrStorage {

    public static final int SIZE = PerSystem.of(128, 128, 128, 256);
    @CName("ss_family")
    public static final int FAMILY = PerSystem.of(0, 1);

    private static final boolean ONE_BYTE = FAMILY != 0;

    private SockaddrStorage() {
    }

    /** {@return the address family} */
    public static int family(ByteBuffer memory, int at) {
        return ONE_BYTE ? memory.get(at + FAMILY) & 0xff : memory.getShort(at + FAMILY);
    }

    /** Sets the address family. */
    public static void family(ByteBuffer memory, int at, int family) {
        if (ONE_BYTE) {
            memory.put(at + FAMILY, (byte) family);
        } else {
            memory.putShort(at + FAMILY, (short) family);
        }
    }
}
