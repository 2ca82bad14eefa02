package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/**
 * A duration in seconds and microseconds. The microseconds have 32 bits on macOS, followed by four bytes of padding.
 */
@CStruct(value = "struct timeval", headers = "sys/time.h")
public final class Timeval {

    public static final int SIZE = 16;
    @CName("tv_sec")
    public static final int SEC = 0;
    @CName("tv_usec")
    public static final int USEC = 8;

    private Timeval() {
    }

    /** Sets the duration, rounded up so that a wait never ends early. */
    public static void set(ByteBuffer memory, int at, long nanos) {
        long micros = nanos / 1_000 + (nanos % 1_000 == 0 ? 0 : 1);
        memory.putLong(at + SEC, micros / 1_000_000);
        memory.putLong(at + USEC, micros % 1_000_000);
    }
}
