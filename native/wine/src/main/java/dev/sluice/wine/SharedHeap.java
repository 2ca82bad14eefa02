package dev.sluice.wine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The part of the region that is allocated in pieces. Safe for use by any thread. */
final class SharedHeap {

    private final SharedRegion region;
    private final FreeSpace free;

    /** Makes a heap of the region from an aligned offset. */
    SharedHeap(SharedRegion region, int start) {
        this.region = region;
        this.free = new FreeSpace(start, SharedRegion.SIZE - start);
    }

    /** {@return the address of a piece of memory, aligned to 64 bytes, not cleared} */
    long allocate(int size) {
        int start = free.take(size);
        if (start < 0) {
            throw new OutOfMemoryError("no " + size + " bytes in one piece left of " + SharedRegion.SIZE
                    + " shared with the Win32 host; free: " + free.bytes());
        }
        return SharedRegion.BASE + start;
    }

    void free(long address, int size) {
        free.giveBack(SharedRegion.index(address), size);
    }

    ByteBuffer slice(long address, int size) {
        return region.bytes().slice(SharedRegion.index(address), size).order(ByteOrder.nativeOrder());
    }

    /** {@return all of the region} */
    ByteBuffer bytes() {
        return region.bytes();
    }
}
