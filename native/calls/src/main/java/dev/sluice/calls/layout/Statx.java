package dev.sluice.calls.layout;

/** The result of {@code statx}. */
@CStruct(value = "struct statx", headers = "linux/stat.h", on = On.LINUX)
public final class Statx {

    public static final int SIZE = 256;
    @CName("stx_mode")
    public static final int MODE = 28;
    @CName("stx_ino")
    public static final int INO = 32;
    @CName("stx_size")
    public static final int FILE_SIZE = 40;
    /** Seconds since 1970. */
    @CName("stx_mtime.tv_sec")
    public static final int MTIME_SEC = 112;
    /** The nanoseconds within the second, an {@code int}. */
    @CName("stx_mtime.tv_nsec")
    public static final int MTIME_NSEC = 120;

    /** Mask of all members that {@code stat} returns. */
    @CName("=STATX_BASIC_STATS")
    public static final int BASIC_STATS = 0x7ff;

    private Statx() {
    }
}
