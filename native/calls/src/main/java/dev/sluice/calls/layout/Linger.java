package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** The value of {@code SO_LINGER}. */
@CStruct(value = "struct linger", headers = "sys/socket.h")
public final class Linger {

    public static final int SIZE = 8;
    @CName("l_onoff")
    public static final int ONOFF = 0;
    @CName("l_linger")
    public static final int LINGER = 4;

    private Linger() {
    }

    /** Sets the time, off if negative. */
    public static void set(ByteBuffer memory, int at, int seconds) {
        memory.putInt(at + ONOFF, seconds < 0 ? 0 : 1);
        memory.putInt(at + LINGER, Math.max(seconds, 0));
    }

    /** {@return the seconds, -1 if off} */
    public static int seconds(ByteBuffer memory, int at) {
        return memory.getInt(at + ONOFF) == 0 ? -1 : memory.getInt(at + LINGER);
    }
}
