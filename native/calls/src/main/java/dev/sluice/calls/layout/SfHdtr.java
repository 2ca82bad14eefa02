package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** The memory that {@code sendfile} of macOS and FreeBSD sends before and after the file. */
@CStruct(value = "struct sf_hdtr", headers = {"sys/types.h", "sys/socket.h", "sys/uio.h"}, on = On.BSD)
public final class SfHdtr {

    public static final int SIZE = 32;
    public static final int HEADERS = 0;
    @CName("hdr_cnt")
    public static final int HEADER_COUNT = 8;
    public static final int TRAILERS = 16;
    @CName("trl_cnt")
    public static final int TRAILER_COUNT = 24;

    private SfHdtr() {
    }

    /** Sets both vectors, given by their address and number of elements. */
    public static void set(ByteBuffer memory, int at, long headers, int headerCount, long trailers, int trailerCount) {
        memory.putLong(at + HEADERS, headers);
        memory.putInt(at + HEADER_COUNT, headerCount);
        memory.putLong(at + TRAILERS, trailers);
        memory.putInt(at + TRAILER_COUNT, trailerCount);
    }
}
