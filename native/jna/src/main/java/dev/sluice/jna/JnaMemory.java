package dev.sluice.jna;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.sluice.calls.BufferAccess;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.MemoryBudget;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
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
        Freeing release = new Freeing(size);
        Object attempt = new Object();
        // Before the allocation: if no block can be made of the memory, there may be no heap or stack to free it here.
        Cleaner.Cleanable failure = CLEANER.register(attempt, release::runUnlessOwned);
        MemoryBudget.CURRENT.take(size, true);
        release.charged = true;
        long address = Native.malloc((long) size + ALIGNMENT);
        if (address == 0) {
            release.run();
            throw new OutOfMemoryError("malloc: cannot allocate " + size + " bytes");
        }
        release.address = address;
        new Pointer(address).clear((long) size + ALIGNMENT);
        MemoryBlock block = wrap(address + ALIGNMENT - 1 & -ALIGNMENT, size, release);
        release.owned = true;
        try {
            failure.clean();
            Reference.reachabilityFence(attempt);
        } catch (StackOverflowError e) {
            // The collector runs it, without an effect.
            return block;
        }
        return block;
    }

    /** Frees memory, by the thread of the cleaner or, if the allocation fails, by the one that allocates. */
    private static final class Freeing implements Runnable {

        private final int size;
        /** The address of the memory; 0 before it is allocated and once it has been freed. */
        private volatile long address;
        /** Whether the memory counts in the budget. */
        private volatile boolean charged;
        /** Whether the memory is freed when a buffer is unreachable. */
        private volatile boolean owned;

        Freeing(int size) {
            this.size = size;
        }

        /** If there is not enough stack, the next call continues. */
        @Override
        public synchronized void run() {
            if (address != 0) {
                Native.free(address);
                address = 0;
            }
            if (charged) {
                MemoryBudget.CURRENT.release(size, true);
                charged = false;
            }
        }

        void runUnlessOwned() {
            if (!owned) {
                run();
            }
        }
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
