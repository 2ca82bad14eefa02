package dev.sluice.calls.layout;

/** What {@code WSAStartup} fills in. */
@CStruct(value = "WSADATA", headers = "winsock2.h", on = On.WINDOWS)
public final class Wsadata {

    public static final int SIZE = 408;
    @CName("wVersion")
    public static final int VERSION = 0;

    private Wsadata() {
    }
}
