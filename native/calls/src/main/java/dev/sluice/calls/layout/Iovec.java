package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** One element of a gathering or scattering call. */
@CStruct(value = "struct iovec", headers = "sys/uio.h")
public final class Iovec {

    public static final int SIZE = 16;
    @CName("iov_base")
    public static final int BASE = 0;
    @CName("iov_len")
    public static final int LEN = 8;

    private Iovec() {
    }

    /** Fills in one element. */
    public static void set(ByteBuffer memory, int at, long base, long length) {
        memory.putLong(at + BASE, base);
        memory.putLong(at + LEN, length);
    }

    /** Changes the length. */
    public static void length(ByteBuffer memory, int at, long length) {
        memory.putLong(at + LEN, length);
    }

    /** {@return the length in bytes} */
    public static long length(ByteBuffer memory, int at) {
        return memory.getLong(at + LEN);
    }
}
