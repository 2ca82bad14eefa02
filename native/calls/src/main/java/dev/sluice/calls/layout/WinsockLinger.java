package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** The value of Winsock's {@code SO_LINGER}. */
@CStruct(value = "struct linger", headers = "winsock2.h", on = On.WINDOWS)
public final class WinsockLinger {

    public static final int SIZE = 4;
    @CName("l_onoff")
    public static final int ONOFF = 0;
    @CName("l_linger")
    public static final int LINGER = 2;

    private WinsockLinger() {
    }

    /** Sets the time, off if negative; at most 65535 seconds. */
    public static void set(ByteBuffer memory, int at, int seconds) {
        memory.putShort(at + ONOFF, (short) (seconds < 0 ? 0 : 1));
        memory.putShort(at + LINGER, (short) Math.min(Math.max(seconds, 0), 0xffff));
    }

    /** {@return the seconds, -1 if off} */
    public static int seconds(ByteBuffer memory, int at) {
        return memory.getShort(at + ONOFF) == 0 ? -1 : memory.getShort(at + LINGER) & 0xffff;
    }
}
