package dev.sluice.calls.layout;

/** Event bits and operations of epoll, and the flags of {@code eventfd}. */
@CConstants(headers = {"sys/epoll.h", "sys/eventfd.h"}, on = On.LINUX)
public final class EpollConstants {

    public static final int EPOLL_CLOEXEC = 0x80000;
    public static final int EPOLL_CTL_ADD = 1;
    public static final int EPOLL_CTL_DEL = 2;
    public static final int EPOLL_CTL_MOD = 3;

    public static final int EPOLLIN = 1;
    public static final int EPOLLPRI = 2;
    public static final int EPOLLOUT = 4;
    public static final int EPOLLERR = 8;
    public static final int EPOLLHUP = 0x10;
    public static final int EPOLLRDHUP = 0x2000;
    public static final int EPOLLONESHOT = 1 << 30;
    public static final int EPOLLET = 1 << 31;

    public static final int EFD_CLOEXEC = 0x80000;
    public static final int EFD_NONBLOCK = 0x800;

    private EpollConstants() {
    }
}
