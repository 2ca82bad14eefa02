package dev.sluice.calls.layout;

import dev.sluice.calls.Platform;

/** Numbers for {@code syscall}, for calls that have no function in the C library. */
@CConstants(headers = "sys/syscall.h", on = On.LINUX)
public final class SystemCallNumbers {

    public static final int SYS_statx = statx();
    public static final int SYS_io_uring_setup = 425;
    public static final int SYS_io_uring_enter = 426;
    public static final int SYS_io_uring_register = 427;
    public static final int SYS_openat2 = 437;

    private SystemCallNumbers() {
    }

    /** From 403 on, a call has the same number everywhere (syscalls(2)). */
    private static int statx() {
        return switch (Platform.CURRENT.cpu()) {
            case X86_64 -> 332;
            case PPC64LE -> 383;
            case S390X -> 379;
            default -> 291;
        };
    }
}
