package dev.sluice.calls.layout;

/** An IPv6 address and port in network byte order; the scope in native order. */
@CStruct(value = "struct sockaddr_in6", headers = "netinet/in.h")
public final class SockaddrIn6 {

    public static final int SIZE = 28;
    @CName("sin6_family")
    public static final int FAMILY = SockaddrStorage.FAMILY;
    @CName("sin6_port")
    public static final int PORT = 2;
    @CName("sin6_flowinfo")
    public static final int FLOWINFO = 4;
    @CName("sin6_addr")
    public static final int ADDR = 8;
    @CName("sin6_scope_id")
    public static final int SCOPE_ID = 24;

    private SockaddrIn6() {
    }
}
