package dev.sluice.wine;

import com.sun.jna.Native;

/** The calls of this process's own system, below the binding: by direct mapping, as in the JNA binding. */
final class LinuxCalls {

    static final int MFD_CLOEXEC = 1;
    static final int PROT_READ = 1;
    static final int PROT_WRITE = 2;
    static final int MAP_SHARED = 1;
    static final int MAP_FIXED_NOREPLACE = 0x100000;
    static final long SYS_FUTEX = 202;
    static final long FUTEX_WAIT = 0;
    static final long FUTEX_WAKE = 1;

    static {
        Native.register(LinuxCalls.class, "c");
    }

    private LinuxCalls() {
    }

    static native int memfd_create(String name, int flags);

    static native int ftruncate(int fd, long length);

    static native int close(int fd);

    static native long mmap(long address, long length, int protection, int flags, int fd, long offset);

    static native long memcpy(long to, long from, long length);

    static native long memset(long address, int value, long length);

    static native long syscall(long number, long a, long b, long c, long d);
}
