package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;

/** The path of a Unix domain socket. */
@CStruct(value = "struct sockaddr_un", headers = "sys/un.h")
public final class SockaddrUn {

    public static final int SIZE = PerSystem.of(110, 106);
    @CName("sun_family")
    public static final int FAMILY = SockaddrStorage.FAMILY;
    @CName("sun_path")
    public static final int PATH = 2;

    private SockaddrUn() {
    }

    /** {@return the longest path in bytes, leaving room for the terminating zero} */
    public static int longestPath() {
        return SIZE - PATH - 1;
    }
}
