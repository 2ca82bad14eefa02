package dev.sluice.ffm;

import dev.sluice.calls.MemoryBudget;

/**
 * The memory of the C library, within the {@link MemoryBudget}. Automatic arenas allocate within the limit of the JDK,
 * which makes the thread sleep before an allocation fails; other arenas have no limit.
 */
final class CMemory {

    /** A cache line. */
    static final int ALIGNMENT = 64;

    /**
     * The functions, of which the second has no result. Declared with whole registers, they share their types with
     * other functions.
     */
    private interface Allocation {
        long calloc(long count, long size);

        long free(long address);
    }

    private static final CLibrary LIBRARY = CLibrary.standard(Allocation.class);
    private static final ForeignFunction CALLOC = LIBRARY.function("calloc");
    private static final ForeignFunction FREE = LIBRARY.function("free");

    private CMemory() {
    }

    /**
     * Allocates zeroed memory.
     *
     * @param size      the size in bytes
     * @param collected whether the garbage collector frees the memory
     * @return the address, which is not aligned; there is space to align it
     * @throws OutOfMemoryError if the budget or the system refuses it
     */
    static long allocate(int size, boolean collected) {
        if (size < 1 || size > Integer.MAX_VALUE - ALIGNMENT) {
            throw new IllegalArgumentException("size: " + size);
        }
        MemoryBudget.CURRENT.take(size, collected);
        long address = 0;
        try {
            address = CALLOC.call(1, (long) size + ALIGNMENT);
        } finally {
            if (address == 0) {
                MemoryBudget.CURRENT.release(size, collected);
            }
        }
        if (address == 0) {
            throw new OutOfMemoryError("calloc: cannot allocate " + size + " bytes");
        }
        return address;
    }

    static long aligned(long address) {
        return address + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** Frees {@linkplain #allocate allocated} memory, which still counts in the budget. */
    static void free(long address) {
        FREE.callUnread(address);
    }
}
