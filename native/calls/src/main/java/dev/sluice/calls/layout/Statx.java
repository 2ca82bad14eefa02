package dev.sluice.calls.layout;

/** The result of {@code statx}. */
@CStruct(value = "struct statx", headers = "linux/stat.h", on = On.LINUX)
public final class Statx {

    public static final int SIZE = 256;
    /** The members that have been filled in. */
    @CName("stx_mask")
    public static final int MASK = 0;
    /** The preferred size of transfers, in bytes. */
    @CName("stx_blksize")
    public static final int BLOCK_SIZE = 4;
    @CName("stx_nlink")
    public static final int NLINK = 16;
    @CName("stx_uid")
    public static final int UID = 20;
    @CName("stx_gid")
    public static final int GID = 24;
    @CName("stx_mode")
    public static final int MODE = 28;
    @CName("stx_ino")
    public static final int INO = 32;
    @CName("stx_size")
    public static final int FILE_SIZE = 40;
    /** Allocated units of 512 bytes. */
    @CName("stx_blocks")
    public static final int BLOCKS = 48;
    /** Times begin with the seconds since 1970, followed by the nanoseconds within the second. */
    @CName("stx_atime")
    public static final int ATIME = 64;
    @CName("stx_btime")
    public static final int BTIME = 80;
    @CName("stx_ctime")
    public static final int CTIME = 96;
    /** Seconds since 1970. */
    @CName("stx_mtime.tv_sec")
    public static final int MTIME_SEC = 112;
    /** The nanoseconds within the second, an {@code int}. */
    @CName("stx_mtime.tv_nsec")
    public static final int MTIME_NSEC = 120;
    @CName("stx_dev_major")
    public static final int DEV_MAJOR = 136;
    @CName("stx_dev_minor")
    public static final int DEV_MINOR = 140;
    /** The number of the mount, as in {@code /proc/self/mountinfo}. */
    @CName("stx_mnt_id")
    public static final int MOUNT = 144;
    /** What addresses of direct transfers are multiples of; 0 if there are none. */
    @CName("stx_dio_mem_align")
    public static final int DIO_MEM_ALIGN = 152;
    /** What positions and lengths of direct transfers are multiples of; 0 if there are none. */
    @CName("stx_dio_offset_align")
    public static final int DIO_OFFSET_ALIGN = 156;
    /** The smallest length of an atomic write; 0 if there are none. */
    @Undeclared
    public static final int ATOMIC_WRITE_UNIT_MIN = 168;
    /** The largest length of an atomic write; 0 if there are none. */
    @Undeclared
    public static final int ATOMIC_WRITE_UNIT_MAX = 172;
    /** What positions and lengths of direct reads are multiples of; 0 if that is as for writes. */
    @Undeclared
    public static final int DIO_READ_OFFSET_ALIGN = 180;

    /** Mask of all members that {@code stat} returns. */
    @CName("=STATX_BASIC_STATS")
    public static final int BASIC_STATS = 0x7ff;
    /** Mask of the time of creation. */
    @CName("=STATX_BTIME")
    public static final int HAS_BTIME = 0x800;
    /** Mask of the mount, since Linux 5.8. */
    @CName("=STATX_MNT_ID")
    public static final int HAS_MOUNT = 0x1000;
    /** Mask of the two alignments of direct transfers, since Linux 6.1. */
    @CName("=STATX_DIOALIGN")
    public static final int DIOALIGN = 0x2000;
    /** Mask of the lengths of atomic writes, since Linux 6.11. */
    @Undeclared
    public static final int WRITE_ATOMIC = 0x10000;
    /** Mask of the alignment of direct reads, since Linux 6.14. */
    @Undeclared
    public static final int DIO_READ_ALIGN = 0x20000;

    private Statx() {
    }
}
