package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;
import dev.sluice.calls.Platform;

/**
 * Flags of {@code open}, {@code fcntl}, {@code flock}, {@code posix_fadvise}, {@code lseek} and {@code mmap};
 * {@link PerSystem#NONE} where a system lacks one.
 */
@CConstants(headers = {"fcntl.h", "unistd.h", "sys/mman.h", "sys/uio.h", "limits.h", "sys/stat.h", "sys/file.h"})
public final class FileConstants {

    /** Whether the flags of directories and links have the numbers that O_DIRECT and O_LARGEFILE have elsewhere. */
    private static final boolean SWAPPED = Platform.CURRENT.cpu() == Platform.Cpu.AARCH64
            || Platform.CURRENT.cpu() == Platform.Cpu.PPC64LE;

    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = PerSystem.of(0x40, 0x200);
    public static final int O_EXCL = PerSystem.of(0x80, 0x800);
    public static final int O_TRUNC = PerSystem.of(0x200, 0x400);
    public static final int O_APPEND = PerSystem.of(0x400, 8);
    public static final int O_NONBLOCK = PerSystem.of(0x800, 4);
    public static final int O_SYNC = PerSystem.of(0x101000, 0x80);
    public static final int O_CLOEXEC = PerSystem.of(0x80000, 0x1000000, 0x100000, 0x10000);

    public static final int O_NOFOLLOW = PerSystem.of(SWAPPED ? 0x8000 : 0x20000, 0x100);
    public static final int O_DIRECTORY = PerSystem.of(SWAPPED ? 0x4000 : 0x10000, 0x100000, 0x20000, 0x20000);
    public static final int O_NOCTTY = PerSystem.of(0x100, 0x20000, 0x8000, 0x8000);
    public static final int O_DSYNC = PerSystem.of(0x1000, 0x400000, 0x1000000, 0x80);
    public static final int O_DIRECT = PerSystem.of(direct(), PerSystem.NONE, 0x10000, PerSystem.NONE);
    /** Contains {@link #O_DIRECTORY}. */
    public static final int O_TMPFILE = PerSystem.of(0x400000 | O_DIRECTORY, PerSystem.NONE);
    public static final int O_PATH = PerSystem.of(0x200000, PerSystem.NONE, 0x400000, PerSystem.NONE);

    public static final int F_GETFD = 1;
    public static final int F_SETFD = 2;
    public static final int F_GETFL = 3;
    public static final int F_SETFL = 4;
    public static final int F_DUPFD_CLOEXEC = PerSystem.of(1030, 67, 17, 10);
    public static final int F_SETPIPE_SZ = PerSystem.of(1031, PerSystem.NONE);
    public static final int FD_CLOEXEC = 1;
    public static final int SPLICE_F_MORE = PerSystem.of(4, PerSystem.NONE);
    public static final int AT_FDCWD = PerSystem.of(-100, -2, -100, -100);

    public static final int AT_SYMLINK_NOFOLLOW = PerSystem.of(0x100, 0x20, 0x200, 2);
    public static final int AT_REMOVEDIR = PerSystem.of(0x200, 0x80, 0x800, 8);
    public static final int AT_STATX_DONT_SYNC = PerSystem.of(0x4000, PerSystem.NONE);
    public static final int AT_EMPTY_PATH = PerSystem.of(0x1000, PerSystem.NONE, 0x4000, PerSystem.NONE);

    public static final int S_IFMT = 0xF000;
    public static final int S_IFDIR = 0x4000;
    public static final int S_IFREG = 0x8000;
    public static final int S_IFLNK = 0xA000;
    public static final int S_IFBLK = 0x6000;

    /** Locks of ranges for an open file, not for a process; fails with EAGAIN instead of waiting. */
    public static final int F_OFD_SETLK = PerSystem.of(37, 90, PerSystem.NONE, PerSystem.NONE);
    public static final int F_OFD_SETLKW = PerSystem.of(38, 91, PerSystem.NONE, PerSystem.NONE);
    public static final int F_RDLCK = PerSystem.of(0, 1);
    public static final int F_WRLCK = PerSystem.of(1, 3);
    public static final int F_UNLCK = 2;

    public static final int LOCK_SH = 1;
    public static final int LOCK_EX = 2;
    public static final int LOCK_NB = 4;
    public static final int LOCK_UN = 8;

    public static final int POSIX_FADV_WILLNEED = PerSystem.of(3, PerSystem.NONE, 3, PerSystem.NONE);
    public static final int POSIX_FADV_DONTNEED = PerSystem.of(Platform.CURRENT.cpu() == Platform.Cpu.S390X ? 6 : 4,
            PerSystem.NONE, 4, PerSystem.NONE);

    public static final int SEEK_SET = 0;
    public static final int SEEK_CUR = 1;
    public static final int SEEK_END = 2;

    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;
    public static final int MAP_SHARED = 1;
    public static final int MAP_PRIVATE = 2;
    public static final int MAP_ANONYMOUS = PerSystem.of(0x20, 0x1000);
    public static final int MAP_POPULATE = PerSystem.of(0x8000, PerSystem.NONE);
    public static final int MS_SYNC = PerSystem.of(4, 0x10, 0, 2);

    /** Maximum number of elements that a gathering or scattering call takes. */
    public static final int IOV_MAX = 1024;

    private FileConstants() {
    }

    private static int direct() {
        return switch (Platform.CURRENT.cpu()) {
            case AARCH64 -> 0x10000;
            case PPC64LE -> 0x20000;
            default -> 0x4000;
        };
    }
}
