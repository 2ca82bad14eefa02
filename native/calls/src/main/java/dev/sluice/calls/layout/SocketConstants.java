package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;

/** Address families, socket types, options and flags; {@link PerSystem#NONE} where a system lacks one. */
@CConstants(headers = {"sys/socket.h", "netinet/in.h", "netinet/tcp.h", "sys/un.h"})
public final class SocketConstants {

    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_INET6 = PerSystem.of(10, 30, 28, 24);

    public static final int SOCK_STREAM = 1;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_NONBLOCK = PerSystem.of(0x800, PerSystem.NONE, 0x20000000, 0x4000);
    public static final int SOCK_CLOEXEC = PerSystem.of(0x80000, PerSystem.NONE, 0x10000000, 0x8000);

    public static final int SOL_SOCKET = PerSystem.of(1, 0xffff);
    public static final int SO_REUSEADDR = PerSystem.of(2, 4);
    public static final int SO_ERROR = PerSystem.of(4, 0x1007);
    public static final int SO_BROADCAST = PerSystem.of(6, 0x20);
    public static final int SO_SNDBUF = PerSystem.of(7, 0x1001);
    public static final int SO_RCVBUF = PerSystem.of(8, 0x1002);
    public static final int SO_KEEPALIVE = PerSystem.of(9, 8);
    public static final int SO_OOBINLINE = PerSystem.of(10, 0x100);
    // On macOS, SO_LINGER counts clock ticks unless strict POSIX is asked for; this is SO_LINGER_SEC there.
    public static final int SO_LINGER = PerSystem.of(13, 0x1080, 0x80, 0x80);
    public static final int SO_REUSEPORT = PerSystem.of(15, 0x200);
    public static final int SO_RXQ_OVFL = PerSystem.of(40, PerSystem.NONE);
    public static final int SO_INCOMING_CPU = PerSystem.of(49, PerSystem.NONE);
    public static final int SO_MEMINFO = PerSystem.of(55, PerSystem.NONE);

    public static final int IPPROTO_IP = 0;
    public static final int IPPROTO_TCP = 6;
    public static final int IPPROTO_IPV6 = 41;
    public static final int IP_TOS = PerSystem.of(1, 3);
    public static final int IP_TTL = PerSystem.of(2, 4);
    public static final int IPV6_V6ONLY = PerSystem.of(26, 27);
    public static final int IPV6_TCLASS = PerSystem.of(67, 36, 61, 61);

    public static final int TCP_NODELAY = 1;
    public static final int TCP_CORK = PerSystem.of(3, PerSystem.NONE);
    // TCP_KEEPALIVE on macOS.
    public static final int TCP_KEEPIDLE = PerSystem.of(4, 0x10, 0x100, PerSystem.NONE);
    public static final int TCP_KEEPINTVL = PerSystem.of(5, 0x101, 0x200, PerSystem.NONE);
    public static final int TCP_KEEPCNT = PerSystem.of(6, 0x102, 0x400, PerSystem.NONE);
    public static final int TCP_DEFER_ACCEPT = PerSystem.of(9, PerSystem.NONE);
    public static final int TCP_INFO = PerSystem.of(11, PerSystem.NONE);
    public static final int TCP_QUICKACK = PerSystem.of(12, PerSystem.NONE);
    public static final int TCP_USER_TIMEOUT = PerSystem.of(18, PerSystem.NONE);
    public static final int TCP_FASTOPEN = PerSystem.of(23, 0x105, 0x401, PerSystem.NONE);

    public static final int MSG_OOB = 1;
    public static final int MSG_PEEK = 2;
    public static final int MSG_TRUNC = PerSystem.of(0x20, 0x10);
    public static final int MSG_WAITALL = PerSystem.of(0x100, 0x40);
    public static final int MSG_NOSIGNAL = PerSystem.of(0x4000, 0x80000, 0x20000, 0x400);
    public static final int MSG_MORE = PerSystem.of(0x8000, PerSystem.NONE);

    public static final int SHUT_RD = 0;
    public static final int SHUT_WR = 1;
    public static final int SHUT_RDWR = 2;

    private SocketConstants() {
    }
}
