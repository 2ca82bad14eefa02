package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;
import java.nio.ByteBuffer;

/** What {@link BsdConstants#F_RDADVISE} of macOS takes. */
@CStruct(value = "struct radvisory", headers = "fcntl.h", on = On.BSD)
public final class Radvisory {

    public static final int SIZE = PerSystem.of(16, 16, PerSystem.NONE, PerSystem.NONE);
    @CName("ra_offset")
    public static final int OFFSET = PerSystem.of(0, 0, PerSystem.NONE, PerSystem.NONE);
    /** The number of bytes, an {@code int}. */
    @CName("ra_count")
    public static final int COUNT = PerSystem.of(8, 8, PerSystem.NONE, PerSystem.NONE);

    private Radvisory() {
    }

    /**
     * Fills in the structure.
     *
     * @param memory the memory that contains it
     * @param at     its offset
     * @param start  the first byte
     * @param count  the number of bytes
     */
    public static void set(ByteBuffer memory, int at, long start, int count) {
        memory.putLong(at + OFFSET, start).putInt(at + COUNT, count).putInt(at + COUNT + Integer.BYTES, 0);
    }
}
