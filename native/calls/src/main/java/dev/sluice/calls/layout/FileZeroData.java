package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** What {@link Win32Constants#FSCTL_SET_ZERO_DATA} takes. */
@CStruct(value = "FILE_ZERO_DATA_INFORMATION", headers = {"winsock2.h", "windows.h", "winioctl.h"}, on = On.WINDOWS)
public final class FileZeroData {

    public static final int SIZE = 16;
    @CName("FileOffset")
    public static final int FIRST = 0;
    @CName("BeyondFinalZero")
    public static final int END = 8;

    private FileZeroData() {
    }

    /**
     * Fills in the structure.
     *
     * @param memory the memory that contains it
     * @param at     its offset
     * @param first  the first byte
     * @param end    the first byte behind the range
     */
    public static void set(ByteBuffer memory, int at, long first, long end) {
        memory.putLong(at + FIRST, first).putLong(at + END, end);
    }
}
