package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;
import java.nio.ByteBuffer;

/** What {@link BsdConstants#F_PREALLOCATE} of macOS takes. */
@CStruct(value = "struct fstore", headers = "fcntl.h", on = On.BSD)
public final class Fstore {

    public static final int SIZE = PerSystem.of(32, 32, PerSystem.NONE, PerSystem.NONE);
    @CName("fst_flags")
    public static final int FLAGS = PerSystem.of(0, 0, PerSystem.NONE, PerSystem.NONE);
    /** Where the region begins, an {@code int}. */
    @CName("fst_posmode")
    public static final int POSITION_MODE = PerSystem.of(4, 4, PerSystem.NONE, PerSystem.NONE);
    @CName("fst_offset")
    public static final int OFFSET = PerSystem.of(8, 8, PerSystem.NONE, PerSystem.NONE);
    @CName("fst_length")
    public static final int LENGTH = PerSystem.of(16, 16, PerSystem.NONE, PerSystem.NONE);
    /** Receives the number of bytes that have been allocated. */
    @CName("fst_bytesalloc")
    public static final int ALLOCATED = PerSystem.of(24, 24, PerSystem.NONE, PerSystem.NONE);

    private Fstore() {
    }

    /**
     * Fills in the structure: allocates all of the bytes or none, behind those that the file has.
     *
     * @param memory the memory that contains it
     * @param at     its offset
     * @param length the number of bytes
     */
    public static void set(ByteBuffer memory, int at, long length) {
        memory.putInt(at + FLAGS, BsdConstants.F_ALLOCATEALL).putInt(at + POSITION_MODE, BsdConstants.F_PEOFPOSMODE)
                .putLong(at + OFFSET, 0).putLong(at + LENGTH, length).putLong(at + ALLOCATED, 0);
    }
}
