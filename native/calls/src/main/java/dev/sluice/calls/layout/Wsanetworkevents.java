package dev.sluice.calls.layout;

/** The events of a socket since the last call of {@code WSAEnumNetworkEvents}. */
@CStruct(value = "WSANETWORKEVENTS", headers = "winsock2.h", on = On.WINDOWS)
public final class Wsanetworkevents {

    public static final int SIZE = 44;
    @CName("lNetworkEvents")
    public static final int NETWORK_EVENTS = 0;
    @CName("iErrorCode")
    public static final int ERROR_CODE = 4;

    private Wsanetworkevents() {
    }
}
