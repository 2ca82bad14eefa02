package dev.sluice.jna;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.sluice.calls.BufferAccess;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.MemoryBudget;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory of the C library, within the {@link MemoryBudget}, which the garbage collector frees. JNA cannot make accesses
 * to freed memory fail, so memory is freed only when its buffer is no longer reachable.
 */
final class JnaMemory implements Memory {

    private static final int ALIGNMENT = 64;
    private static final Cleaner CLEANER = Cleaner.create();
    private static final Runnable LEFT_TO_THE_COLLECTOR = () -> { };

    @Override
    public MemoryBlock allocate(int size) {
        if (size < 1 || size > Integer.MAX_VALUE - ALIGNMENT) {
            throw new IllegalArgumentException("size: " + size);
        }
        MemoryBudget.CURRENT.take(size, true);
        long address = 0;
        try {
            address = Native.malloc((long) size + ALIGNMENT);
        } finally {
            if (address == 0) {
                MemoryBudget.CURRENT.release(size, true);
            }
        }
        if (address == 0) {
            throw new OutOfMemoryError("malloc: cannot allocate " + size + " bytes");
        }
        Runnable release;
        try {
            release = freeing(address, size);
            new Pointer(address).clear((long) size + ALIGNMENT);
        } catch (Throwable e) {
            Native.free(address);
            MemoryBudget.CURRENT.release(size, true);
            throw e;
        }
        return wrap(address + ALIGNMENT - 1 & -ALIGNMENT, size, release);
    }

    /** A separate method, so that the lambda does not keep the buffer reachable. */
    private static Runnable freeing(long address, int size) {
        return () -> {
            Native.free(address);
            MemoryBudget.CURRENT.release(size, true);
        };
    }

    @Override
    public ByteBuffer allocateBuffer(int size) {
        MemoryBlock block = allocate(size);
        // The memory is not freed while the buffer is reachable.
        block.close();
        return block.buffer().order(ByteOrder.BIG_ENDIAN);
    }

    @Override
    public MemoryBlock wrap(long address, int size, Runnable release) {
        MemoryBlock block = null;
        try {
            block = new MemoryBlock(new Pointer(address).getByteBuffer(0, size), address, LEFT_TO_THE_COLLECTOR);
            // Last, because the collector releases the memory from then on.
            CLEANER.register(block.buffer(), release);
            return block;
        } catch (Throwable e) {
            if (block != null) {
                block.close();
            }
            release.run();
            throw e;
        }
    }

    @Override
    public long address(ByteBuffer direct) {
        BufferAccess.require(direct);
        return ArenaScope.isStable(direct) ? Pointer.nativeValue(Native.getDirectBufferPointer(direct)) : COPY;
    }

    @Override
    public long sharedAddress(ByteBuffer direct) {
        long address = address(direct);
        if (ArenaScope.isConfined(direct)) {
            throw new IllegalStateException("the buffer is confined to the arena of one thread, and cannot be used "
                    + "without that"
                    + " thread; use a buffer of a shared arena, or of ByteBuffer.allocateDirect: "
                    + direct);
        }
        return address;
    }

    @Override
    public boolean lasts(ByteBuffer direct) {
        return ArenaScope.isStable(direct) && !ArenaScope.isConfined(direct);
    }
}
