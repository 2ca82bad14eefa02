package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;
import java.nio.ByteBuffer;

/**
 * A change to a kqueue, or an event from one. The additional members of FreeBSD belong to filters that are not used
 * here, and stay zero.
 */
@CStruct(value = "struct kevent", headers = {"sys/types.h", "sys/event.h"}, on = On.BSD)
public final class Kevent {

    public static final int SIZE = PerSystem.of(32, 32, 64, 32);
    public static final int IDENT = 0;
    public static final int FILTER = 8;
    public static final int FLAGS = 10;
    public static final int FFLAGS = 12;
    public static final int DATA = 16;
    public static final int UDATA = 24;

    private Kevent() {
    }

    /** Fills in a change; {@code data} is zero. */
    public static void set(ByteBuffer memory, int at, long ident, int filter, int flags, int fflags, long udata) {
        memory.putLong(at + IDENT, ident);
        memory.putShort(at + FILTER, (short) filter);
        memory.putShort(at + FLAGS, (short) flags);
        memory.putInt(at + FFLAGS, fflags);
        memory.putLong(at + DATA, 0);
        memory.putLong(at + UDATA, udata);
    }

    /** {@return the filter} */
    public static int filter(ByteBuffer memory, int at) {
        return memory.getShort(at + FILTER);
    }

    /** {@return the flags} */
    public static int flags(ByteBuffer memory, int at) {
        return memory.getShort(at + FLAGS) & 0xffff;
    }

    /** {@return the filter's flags; with {@code EV_EOF}, the error of a socket} */
    public static int fflags(ByteBuffer memory, int at) {
        return memory.getInt(at + FFLAGS);
    }

    /** {@return the error number, with {@code EV_ERROR}} */
    public static int error(ByteBuffer memory, int at) {
        return (int) memory.getLong(at + DATA);
    }

    /** {@return the user data of the registration} */
    public static long udata(ByteBuffer memory, int at) {
        return memory.getLong(at + UDATA);
    }
}
