package dev.sluice.handle;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.system.Scratch;

/** Native memory in use, without the bounded memory that the facades keep for later calls. */
public final class MemoryInUse {

    private MemoryInUse() {
    }

    /** {@return the number of bytes} */
    public static long bytes() {
        return MemoryBlock.openBytes() - Scratch.pooledBytes();
    }
}
