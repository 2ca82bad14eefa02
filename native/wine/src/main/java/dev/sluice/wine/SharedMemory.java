package dev.sluice.wine;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.sluice.calls.BufferAccess;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import java.nio.ByteBuffer;

/** Memory in the shared region. */
final class SharedMemory implements Memory {

    private static final int LONGEST = Integer.MAX_VALUE - 64;

    private final SharedHeap heap;
    private final ForeignBuffers foreign;

    SharedMemory(SharedHeap heap, ForeignBuffers foreign) {
        this.heap = heap;
        this.foreign = foreign;
    }

    @Override
    public MemoryBlock allocate(int size) {
        if (size < 1 || size > LONGEST) {
            throw new IllegalArgumentException("size: " + size);
        }
        long address = heap.allocate(size);
        LinuxCalls.memset(address, 0, size);
        return new MemoryBlock(heap.slice(address, size), address, () -> heap.free(address, size));
    }

    /** Not supported: what the host maps is mapped only in the host. */
    @Override
    public MemoryBlock wrap(long address, int size, Runnable release) {
        release.run();
        throw new UnsupportedOperationException("memory that the Win32 host maps is not seen by this process");
    }

    @Override
    public long address(ByteBuffer direct) {
        BufferAccess.require(direct);
        long address = Pointer.nativeValue(Native.getDirectBufferPointer(direct));
        if (!SharedRegion.contains(address, direct.capacity())) {
            foreign.add(address, direct.capacity());
        }
        return address;
    }
}
