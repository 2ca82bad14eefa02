package dev.sluice.calls.layout;

/** An IPv4 address and port, both in network byte order. */
@CStruct(value = "struct sockaddr_in", headers = "netinet/in.h")
public final class SockaddrIn {

    public static final int SIZE = 16;
    @CName("sin_family")
    public static final int FAMILY = SockaddrStorage.FAMILY;
    @CName("sin_port")
    public static final int PORT = 2;
    @CName("sin_addr")
    public static final int ADDR = 4;

    private SockaddrIn() {
    }
}
