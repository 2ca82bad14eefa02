package dev.sluice.calls.layout;

/** Address families, socket types, options and flags. */
@CConstants(headers = {"sys/socket.h", "netinet/in.h", "netinet/tcp.h", "sys/un.h"})
public final class SocketConstants {

    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;

    public static final int SOCK_STREAM = 1;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_NONBLOCK = 0x800;
    public static final int SOCK_CLOEXEC = 0x80000;

    public static final int SOL_SOCKET = 1;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_ERROR = 4;
    public static final int SO_BROADCAST = 6;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_KEEPALIVE = 9;
    public static final int SO_OOBINLINE = 10;
    public static final int SO_LINGER = 13;
    public static final int SO_REUSEPORT = 15;
    public static final int SO_INCOMING_CPU = 49;

    public static final int IPPROTO_IP = 0;
    public static final int IPPROTO_TCP = 6;
    public static final int IPPROTO_IPV6 = 41;
    public static final int IP_TOS = 1;
    public static final int IP_TTL = 2;
    public static final int IPV6_V6ONLY = 26;
    public static final int IPV6_TCLASS = 67;

    public static final int TCP_NODELAY = 1;
    public static final int TCP_CORK = 3;
    public static final int TCP_KEEPIDLE = 4;
    public static final int TCP_KEEPINTVL = 5;
    public static final int TCP_KEEPCNT = 6;
    public static final int TCP_DEFER_ACCEPT = 9;
    public static final int TCP_QUICKACK = 12;
    public static final int TCP_USER_TIMEOUT = 18;
    public static final int TCP_FASTOPEN = 23;

    public static final int MSG_OOB = 1;
    public static final int MSG_TRUNC = 0x20;
    public static final int MSG_WAITALL = 0x100;
    public static final int MSG_NOSIGNAL = 0x4000;
    public static final int MSG_MORE = 0x8000;

    public static final int SHUT_RD = 0;
    public static final int SHUT_WR = 1;
    public static final int SHUT_RDWR = 2;

    private SocketConstants() {
    }
}
