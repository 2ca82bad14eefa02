package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** One descriptor in the array given to {@code poll}. */
@CStruct(value = "struct pollfd", headers = "poll.h")
public final class Pollfd {

    public static final int SIZE = 8;
    public static final int FD = 0;
    public static final int EVENTS = 4;
    public static final int REVENTS = 6;

    private Pollfd() {
    }

    /** Sets the events to wait for; the system ignores a negative descriptor. */
    public static void set(ByteBuffer memory, int at, int fd, int events) {
        memory.putInt(at + FD, fd);
        memory.putShort(at + EVENTS, (short) events);
        memory.putShort(at + REVENTS, (short) 0);
    }

    /** {@return the events reported} */
    public static int revents(ByteBuffer memory, int at) {
        return memory.getShort(at + REVENTS);
    }
}
