package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** The memory that {@code TransmitFile} sends before and after the file. */
@CStruct(value = "TRANSMIT_FILE_BUFFERS", headers = {"winsock2.h", "mswsock.h"}, on = On.WINDOWS)
public final class TransmitFileBuffers {

    public static final int SIZE = 32;
    @CName("Head")
    public static final int HEAD = 0;
    @CName("HeadLength")
    public static final int HEAD_LENGTH = 8;
    @CName("Tail")
    public static final int TAIL = 16;
    @CName("TailLength")
    public static final int TAIL_LENGTH = 24;

    private TransmitFileBuffers() {
    }

    /** Sets both ranges. */
    public static void set(ByteBuffer memory, int at, long head, int headLength, long tail, int tailLength) {
        memory.putLong(at + HEAD, head);
        memory.putInt(at + HEAD_LENGTH, headLength);
        memory.putLong(at + TAIL, tail);
        memory.putInt(at + TAIL_LENGTH, tailLength);
    }
}
