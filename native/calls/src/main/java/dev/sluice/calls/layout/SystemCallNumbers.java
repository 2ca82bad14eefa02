package dev.sluice.calls.layout;

import dev.sluice.calls.Platform;

/** Numbers for {@code syscall}, for calls that have no function in the C library. */
@CConstants(headers = "sys/syscall.h", on = On.LINUX)
public final class SystemCallNumbers {

    public static final int SYS_fcntl = of(72, 55, 55, 25);
    public static final int SYS_renameat2 = of(316, 357, 347, 276);
    public static final int SYS_preadv2 = of(327, 380, 376, 286);
    public static final int SYS_pwritev2 = of(328, 381, 377, 287);
    public static final int SYS_statx = of(332, 383, 379, 291);
    public static final int SYS_io_uring_setup = 425;
    public static final int SYS_io_uring_enter = 426;
    public static final int SYS_io_uring_register = 427;
    public static final int SYS_openat2 = 437;

    private SystemCallNumbers() {
    }

    /** From 403 on, a call has the same number everywhere (syscalls(2)). */
    private static int of(int x86, int ppc64, int s390x, int others) {
        return switch (Platform.CURRENT.cpu()) {
            case X86_64 -> x86;
            case PPC64LE -> ppc64;
            case S390X -> s390x;
            default -> others;
        };
    }
}
