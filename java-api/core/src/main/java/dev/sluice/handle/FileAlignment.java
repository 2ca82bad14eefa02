package dev.sluice.handle;

import dev.sluice.system.Scratch;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The alignment of transfers of a file that was opened with {@link FileOption#DIRECT}, in bytes. Each unit is a power
 * of two.
 *
 * @param memory the unit of the addresses of buffers
 * @param write  the unit of positions and lengths of writes
 * @param read   the unit of positions and lengths of reads, which may be smaller
 */
public record FileAlignment(int memory, int write, int read) {

    /**
     * Checks the units.
     *
     * @throws IllegalArgumentException if one of them is not a power of two
     */
    public FileAlignment {
        requirePowerOfTwo(memory);
        requirePowerOfTwo(write);
        requirePowerOfTwo(read);
    }

    private static void requirePowerOfTwo(int unit) {
        if (unit <= 0 || (unit & unit - 1) != 0) {
            throw new IllegalArgumentException("not a power of two: " + unit);
        }
    }

    /** {@return the units that a system has stored, or null if the file does not support direct access} */
    static @Nullable FileAlignment in(Scratch scratch) {
        ByteBuffer units = scratch.memory();
        int write = units.getInt(Scratch.DIRECT_WRITE);
        return write == 0 ? null
                : new FileAlignment(units.getInt(Scratch.DIRECT_MEMORY), write, units.getInt(Scratch.DIRECT_READ));
    }

    /**
     * Allocates a buffer that begins at a multiple of the unit of memory. Reads and writes also need a length and a
     * position that are multiples of their units.
     *
     * @param size the capacity in bytes
     * @return a direct buffer, which is freed by the garbage collector
     * @throws IllegalArgumentException if the size is negative
     */
    public ByteBuffer allocate(int size) {
        if (size < 0) {
            throw new IllegalArgumentException("size: " + size);
        }
        // The slice begins and ends at multiples of the unit.
        int blocks = Math.addExact(size, memory - 1) & -memory;
        return ByteBuffer.allocateDirect(Math.addExact(blocks, memory)).alignedSlice(memory).slice(0, size);
    }
}
