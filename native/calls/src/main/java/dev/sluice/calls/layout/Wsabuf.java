package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** One range of memory of a gathering or scattering Winsock call. */
@CStruct(value = "WSABUF", headers = "winsock2.h", on = On.WINDOWS)
public final class Wsabuf {

    public static final int SIZE = 16;
    @CName("len")
    public static final int LEN = 0;
    @CName("buf")
    public static final int BUF = 8;

    private Wsabuf() {
    }

    /** Sets the range. */
    public static void set(ByteBuffer memory, int at, long address, int length) {
        memory.putInt(at + LEN, length);
        memory.putLong(at + BUF, address);
    }
}
