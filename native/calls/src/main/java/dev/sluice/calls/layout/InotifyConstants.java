package dev.sluice.calls.layout;

/** Flags of {@code inotify_init1}, and the bits of masks. */
@CConstants(headers = "sys/inotify.h", on = On.LINUX)
public final class InotifyConstants {

    public static final int IN_NONBLOCK = 0x800;
    public static final int IN_CLOEXEC = 0x80000;

    // What happens

    public static final int IN_ACCESS = 1;
    public static final int IN_MODIFY = 2;
    public static final int IN_ATTRIB = 4;
    public static final int IN_CLOSE_WRITE = 8;
    public static final int IN_CLOSE_NOWRITE = 0x10;
    public static final int IN_OPEN = 0x20;
    public static final int IN_MOVED_FROM = 0x40;
    public static final int IN_MOVED_TO = 0x80;
    public static final int IN_CREATE = 0x100;
    public static final int IN_DELETE = 0x200;
    public static final int IN_DELETE_SELF = 0x400;
    public static final int IN_MOVE_SELF = 0x800;
    public static final int IN_ALL_EVENTS = 0xfff;

    // What the kernel adds

    public static final int IN_UNMOUNT = 0x2000;
    public static final int IN_Q_OVERFLOW = 0x4000;
    public static final int IN_IGNORED = 0x8000;
    public static final int IN_ISDIR = 1 << 30;

    // How to watch

    public static final int IN_ONLYDIR = 1 << 24;
    public static final int IN_DONT_FOLLOW = 1 << 25;
    public static final int IN_EXCL_UNLINK = 1 << 26;
    public static final int IN_MASK_CREATE = 1 << 28;
    public static final int IN_MASK_ADD = 1 << 29;
    public static final int IN_ONESHOT = 1 << 31;

    private InotifyConstants() {
    }
}
