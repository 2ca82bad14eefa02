package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;
import java.nio.ByteBuffer;

/** What {@link BsdConstants#F_PUNCHHOLE} of macOS takes. */
@CStruct(value = "struct fpunchhole", headers = "fcntl.h", on = On.BSD)
public final class Fpunchhole {

    public static final int SIZE = PerSystem.of(24, 24, PerSystem.NONE, PerSystem.NONE);
    @CName("fp_flags")
    public static final int FLAGS = PerSystem.of(0, 0, PerSystem.NONE, PerSystem.NONE);
    @CName("reserved")
    public static final int RESERVED = PerSystem.of(4, 4, PerSystem.NONE, PerSystem.NONE);
    @CName("fp_offset")
    public static final int OFFSET = PerSystem.of(8, 8, PerSystem.NONE, PerSystem.NONE);
    @CName("fp_length")
    public static final int LENGTH = PerSystem.of(16, 16, PerSystem.NONE, PerSystem.NONE);

    private Fpunchhole() {
    }

    /**
     * Fills in the structure.
     *
     * @param memory the memory that contains it
     * @param at     its offset
     * @param start  the first byte of the hole, a multiple of the block size
     * @param length the number of bytes, a multiple of the block size
     */
    public static void set(ByteBuffer memory, int at, long start, long length) {
        memory.putInt(at + FLAGS, 0).putInt(at + RESERVED, 0).putLong(at + OFFSET, start).putLong(at + LENGTH, length);
    }
}
