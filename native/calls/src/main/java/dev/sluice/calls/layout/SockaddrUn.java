package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;
import dev.sluice.calls.Platform;

/** The path of a Unix domain socket. */
@CStruct(value = "struct sockaddr_un", headers = "sys/un.h")
public final class SockaddrUn {

    public static final int SIZE = PerSystem.of(110, 106);
    @CName("sun_family")
    public static final int FAMILY = SockaddrStorage.FAMILY;
    @CName("sun_path")
    public static final int PATH = 2;

    private static final int LONGEST_PATH = SIZE - PATH - (Platform.CURRENT.os() == Platform.Os.LINUX ? 0 : 1);

    private SockaddrUn() {
    }

    /** {@return the longest path in bytes; on Linux it may fill the whole array, elsewhere a zero must terminate it} */
    public static int longestPath() {
        return LONGEST_PATH;
    }
}
