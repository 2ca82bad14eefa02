package dev.sluice.calls.layout;

/** The extended argument of {@code io_uring_enter}: how long to wait. */
@CStruct(value = "struct io_uring_getevents_arg", headers = "linux/io_uring.h", on = On.LINUX)
public final class IoUringGeteventsArg {

    public static final int SIZE = 24;
    public static final int SIGMASK = 0;
    public static final int SIGMASK_SZ = 8;
    public static final int TS = 16;

    private IoUringGeteventsArg() {
    }
}
