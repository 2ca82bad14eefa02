package dev.sluice.calls.layout;

/** Address families, socket types, options, flags and events of Winsock. */
@CConstants(headers = {"winsock2.h", "ws2tcpip.h", "mswsock.h"}, on = On.WINDOWS)
public final class WinsockConstants {

    public static final int AF_INET = 2;
    public static final int AF_INET6 = 23;

    public static final int SOCK_STREAM = 1;
    public static final int SOCK_DGRAM = 2;

    public static final int WSA_FLAG_OVERLAPPED = 1;
    public static final int WSA_FLAG_NO_HANDLE_INHERIT = 128;

    public static final int SOL_SOCKET = 0xffff;
    public static final int SO_REUSEADDR = 4;
    public static final int SO_EXCLUSIVEADDRUSE = -5;
    public static final int SO_KEEPALIVE = 8;
    public static final int SO_BROADCAST = 32;
    public static final int SO_LINGER = 128;
    public static final int SO_OOBINLINE = 256;
    public static final int SO_SNDBUF = 0x1001;
    public static final int SO_RCVBUF = 0x1002;
    public static final int SO_ERROR = 0x1007;
    public static final int SO_TYPE = 0x1008;
    public static final int SO_UPDATE_ACCEPT_CONTEXT = 0x700b;
    public static final int SO_UPDATE_CONNECT_CONTEXT = 0x7010;

    public static final int IPPROTO_IP = 0;
    public static final int IPPROTO_TCP = 6;
    public static final int IPPROTO_UDP = 17;
    public static final int IPPROTO_IPV6 = 41;
    public static final int IP_TOS = 3;
    public static final int IP_TTL = 4;
    public static final int IPV6_V6ONLY = 27;
    public static final int IPV6_TCLASS = 39;

    public static final int TCP_NODELAY = 1;
    @Undeclared
    public static final int TCP_KEEPIDLE = 3;
    @Undeclared
    public static final int TCP_FASTOPEN = 15;
    @Undeclared
    public static final int TCP_KEEPCNT = 16;
    @Undeclared
    public static final int TCP_KEEPINTVL = 17;

    public static final int FIONBIO = 0x8004667e;
    public static final int SIO_GET_EXTENSION_FUNCTION_POINTER = 0xc8000006;
    public static final int SIO_UDP_CONNRESET = 0x9800000c;
    public static final int SIO_BASE_HANDLE = 0x48000022;

    public static final int SD_RECEIVE = 0;
    public static final int SD_SEND = 1;
    public static final int SD_BOTH = 2;

    public static final int MSG_OOB = 1;
    public static final int MSG_PEEK = 2;

    public static final int POLLRDNORM = 256;
    public static final int POLLRDBAND = 512;
    public static final int POLLIN = 768;
    public static final int POLLPRI = 1024;
    public static final int POLLWRNORM = 16;
    public static final int POLLOUT = 16;
    public static final int POLLERR = 1;
    public static final int POLLHUP = 2;
    public static final int POLLNVAL = 4;

    public static final int FD_READ = 1;
    public static final int FD_WRITE = 2;
    public static final int FD_OOB = 4;
    public static final int FD_ACCEPT = 8;
    public static final int FD_CONNECT = 16;
    public static final int FD_CLOSE = 32;

    public static final int FD_READ_BIT = 0;
    public static final int FD_WRITE_BIT = 1;
    public static final int FD_OOB_BIT = 2;
    public static final int FD_ACCEPT_BIT = 3;
    public static final int FD_CONNECT_BIT = 4;
    public static final int FD_CLOSE_BIT = 5;
    public static final int FD_MAX_EVENTS = 10;

    public static final int WSA_MAXIMUM_WAIT_EVENTS = 64;

    private WinsockConstants() {
    }
}
