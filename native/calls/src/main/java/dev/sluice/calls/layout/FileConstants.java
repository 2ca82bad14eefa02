package dev.sluice.calls.layout;

/** Flags of {@code open}, {@code fcntl}, {@code lseek} and {@code mmap}. */
@CConstants(headers = {"fcntl.h", "unistd.h", "sys/mman.h", "sys/uio.h", "limits.h"})
public final class FileConstants {

    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0x40;
    public static final int O_EXCL = 0x80;
    public static final int O_TRUNC = 0x200;
    public static final int O_APPEND = 0x400;
    public static final int O_NONBLOCK = 0x800;
    public static final int O_SYNC = 0x101000;
    public static final int O_CLOEXEC = 0x80000;

    public static final int F_GETFD = 1;
    public static final int F_SETFD = 2;
    public static final int F_GETFL = 3;
    public static final int F_SETFL = 4;
    public static final int F_SETPIPE_SZ = 1031;
    public static final int FD_CLOEXEC = 1;
    public static final int AT_FDCWD = -100;

    public static final int SEEK_SET = 0;
    public static final int SEEK_END = 2;

    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;
    public static final int MAP_SHARED = 1;
    public static final int MAP_PRIVATE = 2;
    public static final int MAP_ANONYMOUS = 0x20;
    public static final int MAP_POPULATE = 0x8000;
    public static final int MS_SYNC = 4;

    /** The most elements that a gathering or scattering call takes. */
    public static final int IOV_MAX = 1024;

    private FileConstants() {
    }
}
