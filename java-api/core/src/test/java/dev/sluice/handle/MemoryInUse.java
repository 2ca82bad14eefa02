package dev.sluice.handle;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.system.Scratch;

/** Native memory in use, without that which the facades keep, up to a bound, for their next calls. */
public final class MemoryInUse {

    private MemoryInUse() {
    }

    /** {@return how many bytes} */
    public static long bytes() {
        return MemoryBlock.openBytes() - Scratch.pooledBytes();
    }
}
