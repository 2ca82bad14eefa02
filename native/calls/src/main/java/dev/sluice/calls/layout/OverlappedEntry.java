package dev.sluice.calls.layout;

/** A packet of a completion port. */
@CStruct(value = "OVERLAPPED_ENTRY", headers = "windows.h", on = On.WINDOWS)
public final class OverlappedEntry {

    public static final int SIZE = 32;
    @CName("lpCompletionKey")
    public static final int COMPLETION_KEY = 0;
    @CName("lpOverlapped")
    public static final int OVERLAPPED = 8;
    @CName("Internal")
    public static final int INTERNAL = 16;
    @CName("dwNumberOfBytesTransferred")
    public static final int NUMBER_OF_BYTES_TRANSFERRED = 24;

    private OverlappedEntry() {
    }
}
