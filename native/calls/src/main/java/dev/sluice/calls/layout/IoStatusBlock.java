package dev.sluice.calls.layout;

/** The outcome of a call of Windows' native interface. */
@CStruct(value = "IO_STATUS_BLOCK", headers = {"windows.h", "winternl.h"}, on = On.WINDOWS)
public final class IoStatusBlock {

    public static final int SIZE = 16;
    @CName("Status")
    public static final int STATUS = 0;
    @CName("Information")
    public static final int INFORMATION = 8;

    private IoStatusBlock() {
    }
}
