package dev.sluice.calls.layout;

/** The result of {@code WSAStartup}. */
@CStruct(value = "WSADATA", headers = "winsock2.h", on = On.WINDOWS)
public final class Wsadata {

    public static final int SIZE = 408;
    @CName("wVersion")
    public static final int VERSION = 0;

    private Wsadata() {
    }
}
