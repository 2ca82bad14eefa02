package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;
import java.nio.ByteBuffer;

/** A range of a file, for {@code fspacectl} of FreeBSD. */
@CStruct(value = "struct spacectl_range", headers = "fcntl.h", on = On.BSD)
public final class SpacectlRange {

    public static final int SIZE = PerSystem.of(16, PerSystem.NONE, 16, PerSystem.NONE);
    @CName("r_offset")
    public static final int OFFSET = PerSystem.of(0, PerSystem.NONE, 0, PerSystem.NONE);
    @CName("r_len")
    public static final int LENGTH = PerSystem.of(8, PerSystem.NONE, 8, PerSystem.NONE);

    private SpacectlRange() {
    }

    /**
     * Fills in the structure.
     *
     * @param memory the memory that contains it
     * @param at     its offset
     * @param start  the first byte
     * @param length the number of bytes
     */
    public static void set(ByteBuffer memory, int at, long start, long length) {
        memory.putLong(at + OFFSET, start).putLong(at + LENGTH, length);
    }
}
