package dev.sluice.calls.layout;

/** Numbers for {@code syscall}, for calls that have no function in the C library. */
@CConstants(headers = "sys/syscall.h", on = On.LINUX)
public final class SystemCallNumbers {

    public static final int SYS_pidfd_send_signal = 424;
    public static final int SYS_io_uring_setup = 425;
    public static final int SYS_io_uring_enter = 426;
    public static final int SYS_io_uring_register = 427;
    public static final int SYS_pidfd_open = 434;

    private SystemCallNumbers() {
    }
}
