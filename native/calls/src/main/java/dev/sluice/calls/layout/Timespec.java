package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** A duration in seconds and nanoseconds, for the C library. */
@CStruct(value = "struct timespec", headers = "time.h")
public final class Timespec {

    public static final int SIZE = 16;
    @CName("tv_sec")
    public static final int SEC = 0;
    @CName("tv_nsec")
    public static final int NSEC = 8;

    private Timespec() {
    }

    /** Sets the duration. */
    public static void set(ByteBuffer memory, int at, long nanos) {
        memory.putLong(at + SEC, nanos / 1_000_000_000);
        memory.putLong(at + NSEC, nanos % 1_000_000_000);
    }

    /** {@return the whole seconds} */
    public static long seconds(ByteBuffer memory, int at) {
        return memory.getLong(at + SEC);
    }

    /** {@return the nanoseconds within the second} */
    public static long nanos(ByteBuffer memory, int at) {
        return memory.getLong(at + NSEC);
    }
}
