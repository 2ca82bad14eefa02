package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** One socket in the array given to {@code WSAPoll}. */
@CStruct(value = "WSAPOLLFD", headers = "winsock2.h", on = On.WINDOWS)
public final class Wsapollfd {

    public static final int SIZE = 16;
    @CName("fd")
    public static final int FD = 0;
    @CName("events")
    public static final int EVENTS = 8;
    @CName("revents")
    public static final int REVENTS = 10;

    private Wsapollfd() {
    }

    /** Sets the events to wait for; the system ignores a negative socket. */
    public static void set(ByteBuffer memory, int at, long socket, int events) {
        memory.putLong(at + FD, socket);
        memory.putShort(at + EVENTS, (short) events);
        memory.putShort(at + REVENTS, (short) 0);
    }

    /** {@return the socket} */
    public static long socket(ByteBuffer memory, int at) {
        return memory.getLong(at + FD);
    }

    /** {@return the events reported} */
    public static int revents(ByteBuffer memory, int at) {
        return memory.getShort(at + REVENTS);
    }
}
