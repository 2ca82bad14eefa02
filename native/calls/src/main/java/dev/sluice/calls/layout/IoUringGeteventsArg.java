package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** The extended argument of {@code io_uring_enter}: the timeout. */
@CStruct(value = "struct io_uring_getevents_arg", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringGeteventsArg {

    public static final int SIZE = 24;
    public static final int SIGMASK = 0;
    public static final int SIGMASK_SZ = 8;
    public static final int TS = 16;

    private IoUringGeteventsArg() {
    }

    /** Sets the address of the {@link KernelTimespec} with the maximum wait, 0 for none. */
    public static void timespec(ByteBuffer memory, int at, long address) {
        memory.putLong(at + TS, address);
    }
}
