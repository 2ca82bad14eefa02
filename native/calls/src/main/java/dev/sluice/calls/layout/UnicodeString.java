package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** Text for Windows' native interface: UTF-16 with its length. */
@CStruct(value = "UNICODE_STRING", headers = {"windows.h", "winternl.h"}, on = On.WINDOWS)
public final class UnicodeString {

    public static final int SIZE = 16;
    @CName("Length")
    public static final int LENGTH = 0;
    @CName("MaximumLength")
    public static final int MAXIMUM_LENGTH = 2;
    @CName("Buffer")
    public static final int BUFFER = 8;

    private UnicodeString() {
    }

    /** Fills it in; {@code bytes} is the length of the text. */
    public static void set(ByteBuffer memory, int at, int bytes, long text) {
        memory.putShort(at + LENGTH, (short) bytes);
        memory.putShort(at + MAXIMUM_LENGTH, (short) bytes);
        memory.putLong(at + BUFFER, text);
    }
}
