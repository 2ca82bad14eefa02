package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;

/** The result of {@code fstat} with inodes of 64 bits. */
@CStruct(value = "struct stat", headers = "sys/stat.h", on = On.BSD)
public final class Stat {

    public static final int SIZE = PerSystem.of(144, 144, 224, 128);
    /** A {@code short} on macOS and FreeBSD; elsewhere the upper half is zero. */
    @CName("st_mode")
    public static final int MODE = PerSystem.of(4, 4, 24, 0);
    @CName("st_dev")
    public static final int DEV = PerSystem.of(0, 0, 0, 4);
    @CName("st_ino")
    public static final int INO = 8;
    /** A {@code short} on macOS, a {@code long} on FreeBSD, an {@code int} on OpenBSD. */
    @CName("st_nlink")
    public static final int NLINK = PerSystem.of(6, 6, 16, 16);
    @CName("st_uid")
    public static final int UID = PerSystem.of(16, 16, 28, 20);
    @CName("st_gid")
    public static final int GID = PerSystem.of(20, 20, 32, 24);
    /** Allocated units of 512 bytes. */
    @CName("st_blocks")
    public static final int BLOCKS = PerSystem.of(104, 104, 120, 88);
    @CName("st_size")
    public static final int FILE_SIZE = PerSystem.of(96, 96, 112, 80);
    /** A {@link Timespec}. */
    @CName("st_atime")
    public static final int ATIME = PerSystem.of(32, 32, 48, 32);
    @CName("st_mtime")
    public static final int MTIME = PerSystem.of(48, 48, 64, 48);

    /** The preferred size of transfers, an {@code int}. */
    @CName("st_blksize")
    public static final int BLOCK_SIZE = PerSystem.of(112, 112, 128, 96);

    private Stat() {
    }
}
