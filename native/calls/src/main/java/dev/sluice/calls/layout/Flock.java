package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;
import java.nio.ByteBuffer;

/** A lock of a range of a file. */
@CStruct(value = "struct flock", headers = "fcntl.h")
public final class Flock {

    public static final int SIZE = PerSystem.of(32, 24, 32, 24);
    public static final int L_TYPE = PerSystem.of(0, 20);
    public static final int L_WHENCE = PerSystem.of(2, 22);
    public static final int L_START = PerSystem.of(8, 0);
    public static final int L_LEN = PerSystem.of(16, 8);
    public static final int L_PID = PerSystem.of(24, 16);

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
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            memory.putLong(at + i, 0);
        }
        memory.putShort(at + L_TYPE, (short) type).putShort(at + L_WHENCE, (short) FileConstants.SEEK_SET)
                .putLong(at + L_START, start).putLong(at + L_LEN, length);
    }
}
