package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** Identifies an overlapped Windows call from its start to its completion; the system writes the first two members. */
@CStruct(value = "OVERLAPPED", headers = "windows.h", on = On.WINDOWS)
public final class Overlapped {

    public static final int SIZE = 32;
    @CName("Internal")
    public static final int INTERNAL = 0;
    @CName("InternalHigh")
    public static final int INTERNAL_HIGH = 8;
    @CName("Offset")
    public static final int OFFSET = 16;
    @CName("OffsetHigh")
    public static final int OFFSET_HIGH = 20;
    @CName("hEvent")
    public static final int EVENT = 24;

    private Overlapped() {
    }

    /** Prepares it for a call; the position matters only for files, and the event may be 0. */
    public static void set(ByteBuffer memory, int at, long position, long event) {
        memory.putLong(at + INTERNAL, 0);
        memory.putLong(at + INTERNAL_HIGH, 0);
        memory.putInt(at + OFFSET, (int) position);
        memory.putInt(at + OFFSET_HIGH, (int) (position >>> Integer.SIZE));
        memory.putLong(at + EVENT, event);
    }

    /** {@return the {@code NTSTATUS} of the call, once it has completed} */
    public static int status(ByteBuffer memory, int at) {
        return (int) memory.getLong(at + INTERNAL);
    }

    /** {@return the number of bytes that the call has moved, once it has completed} */
    public static long transferred(ByteBuffer memory, int at) {
        return memory.getLong(at + INTERNAL_HIGH);
    }
}
