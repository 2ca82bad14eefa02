package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** A lock of a range of a file. */
@CStruct(value = "struct flock", headers = "fcntl.h", on = On.LINUX)
public final class Flock {

    public static final int SIZE = 32;
    public static final int L_TYPE = 0;
    public static final int L_WHENCE = 2;
    public static final int L_START = 8;
    public static final int L_LEN = 16;
    public static final int L_PID = 24;

    private Flock() {
    }

    /**
     * Fills in the structure.
     *
     * @param memory where it lies
     * @param at     its offset
     * @param type   whether the lock is shared, exclusive, or removed
     * @param start  the first byte
     * @param length the number of bytes; 0 for all up to the end, wherever that will be
     */
    public static void set(ByteBuffer memory, int at, int type, long start, long length) {
        memory.putShort(at + L_TYPE, (short) type).putShort(at + L_WHENCE, (short) FileConstants.SEEK_SET)
                .putInt(at + L_WHENCE + Short.BYTES, 0).putLong(at + L_START, start).putLong(at + L_LEN, length)
                .putLong(at + L_PID, 0);
    }
}
