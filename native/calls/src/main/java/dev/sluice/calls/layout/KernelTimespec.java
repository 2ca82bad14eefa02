package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** A duration for the kernel: seconds and nanoseconds, 64 bits each on every CPU. */
@CStruct(value = "struct __kernel_timespec", headers = "linux/time_types.h", on = On.LINUX)
public final class KernelTimespec {

    public static final int SIZE = 16;
    @CName("tv_sec")
    public static final int SEC = 0;
    @CName("tv_nsec")
    public static final int NSEC = 8;

    private KernelTimespec() {
    }

    /** Sets the duration. */
    public static void set(ByteBuffer memory, int at, long nanos) {
        memory.putLong(at + SEC, nanos / 1_000_000_000);
        memory.putLong(at + NSEC, nanos % 1_000_000_000);
    }
}
