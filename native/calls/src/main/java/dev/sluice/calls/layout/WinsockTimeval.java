package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** A duration for Winsock's {@code select}; a {@code long} has 32 bits on Windows. */
@CStruct(value = "struct timeval", headers = "winsock2.h", on = On.WINDOWS)
public final class WinsockTimeval {

    public static final int SIZE = 8;
    @CName("tv_sec")
    public static final int SEC = 0;
    @CName("tv_usec")
    public static final int USEC = 4;

    private WinsockTimeval() {
    }

    /** Sets the duration, rounded up so that a wait never ends early, and limited to the longest that fits. */
    public static void set(ByteBuffer memory, int at, long nanos) {
        long micros = Math.min(nanos / 1_000 + (nanos % 1_000 == 0 ? 0 : 1), Integer.MAX_VALUE * 1_000_000L);
        memory.putInt(at + SEC, (int) (micros / 1_000_000));
        memory.putInt(at + USEC, (int) (micros % 1_000_000));
    }
}
