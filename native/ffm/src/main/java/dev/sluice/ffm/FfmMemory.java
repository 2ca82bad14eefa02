package dev.sluice.ffm;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Memory in shared arenas, one for each block, so that an access to a closed block throws instead of crashing the
 * process. Closing a shared arena costs microseconds, so blocks are used as long as the loop that uses them.
 */
final class FfmMemory implements Memory {

    /** A thread other than the current one. */
    private static final Thread OTHER_THREAD = new Thread(() -> { });

    /** A power of two. */
    private static final int PLACES = 1024;
    /** The number of places in which a buffer may be. */
    private static final int WAYS = 4;

    private final BufferAddress bufferAddress = new BufferAddress();
    // Buffers whose addresses are known. For an ordinary buffer the JDK creates a new scope for each request, which the
    // compiler does not eliminate if its class is used. A thread that does not see an entry yet determines the address
    // itself.
    private final AtomicReferenceArray<KnownBuffer> known = new AtomicReferenceArray<>(PLACES);
    /** The hash code of the last unknown buffer of each place. */
    private final int[] requested = new int[PLACES];

    @Override
    public MemoryBlock allocate(int size) {
        Freeing.freeOneAbandoned();
        Freeing release = new Freeing(size);
        release.list();
        boolean allocated = false;
        try {
            release.address = CMemory.allocate(size, false);
            release.charged = true;
            MemoryBlock block = newBlock(CMemory.aligned(release.address), size, release);
            release.unlist();
            allocated = true;
            return block;
        } finally {
            if (!allocated) {
                // Without a call, because there might be no stack for it, nor for a lock.
                release.abandoned = true;
            }
        }
    }

    /**
     * Frees a block. Created before the memory, because there may be no heap for it afterwards. If no block can be made
     * of the memory, the next allocation frees it: there may be no heap or stack for the call at that time.
     */
    private static final class Freeing implements Runnable {

        private static final Object LIST_LOCK = new Object();
        /** The first allocation that is in progress or abandoned; written with the lock held. */
        private static volatile @Nullable Freeing firstListed;

        private final int size;
        /** The address of the memory; 0 before it is allocated and once it has been freed. */
        private volatile long address;
        /** Whether the memory counts in the budget. */
        private volatile boolean charged;
        /** Whether the allocation has failed, so that the memory must be freed. */
        private volatile boolean abandoned;
        /** Guarded by the lock. */
        private @Nullable Freeing nextListed;

        Freeing(int size) {
            this.size = size;
        }

        /** If there is not enough memory or stack, the next call continues. */
        @Override
        public void run() {
            if (address != 0) {
                CMemory.free(address);
                address = 0;
            }
            if (charged) {
                MemoryBudget.CURRENT.release(size, false);
                charged = false;
            }
        }

        void list() {
            synchronized (LIST_LOCK) {
                nextListed = firstListed;
                firstListed = this;
            }
        }

        void unlist() {
            synchronized (LIST_LOCK) {
                Freeing before = null;
                Freeing each = firstListed;
                while (each != null && each != this) {
                    before = each;
                    each = each.nextListed;
                }
                if (each != null && before != null) {
                    before.nextListed = nextListed;
                } else if (each != null) {
                    firstListed = nextListed;
                }
            }
        }

        static void freeOneAbandoned() {
            Freeing found = firstListed == null ? null : takeAbandoned();
            if (found == null) {
                return;
            }
            try {
                found.run();
                found.unlist();
            } catch (OutOfMemoryError | StackOverflowError e) {
                found.abandoned = true;
            }
        }

        private static @Nullable Freeing takeAbandoned() {
            synchronized (LIST_LOCK) {
                Freeing each = firstListed;
                while (each != null && !each.abandoned) {
                    each = each.nextListed;
                }
                if (each != null) {
                    each.abandoned = false;
                }
                return each;
            }
        }
    }

    @Override
    public ByteBuffer allocateBuffer(int size) {
        Arena arena = Arena.ofAuto();
        Collected collected = new Collected(size);
        // Before the allocation: if no buffer can be made of the memory, there may be no heap or stack to free it here.
        // All views of the buffer keep the scope reachable.
        Collected.CLEANER.register(arena.scope(), collected);
        collected.address = CMemory.allocate(size, true);
        collected.charged = true;
        return MemorySegment.ofAddress(CMemory.aligned(collected.address)).reinterpret(size, arena, null)
                .asByteBuffer();
    }

    /**
     * Frees unreachable memory. Not an action of the arena: the JDK allocates objects to run one, and drops the action
     * if there is no heap for them, so that the memory would be leaked.
     */
    private static final class Collected implements Runnable {

        static final Cleaner CLEANER = Cleaner.create();
        private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

        private final int size;
        /** The address of the memory; 0 before it is allocated and once it has been freed. */
        private volatile long address;
        /** Whether the memory counts in the budget. */
        private volatile boolean charged;

        Collected(int size) {
            this.size = size;
        }

        /** Repeats what the JVM cannot link or compile for lack of memory: the cleaner drops exceptions. */
        @Override
        public void run() {
            boolean failed = false;
            while (charged) {
                try {
                    if (failed) {
                        LockSupport.parkNanos(PAUSE_NANOS);
                    }
                    free();
                } catch (OutOfMemoryError e) {
                    failed = true;
                }
            }
        }

        private void free() {
            if (address != 0) {
                CMemory.free(address);
                address = 0;
            }
            MemoryBudget.CURRENT.release(size, true);
            charged = false;
        }
    }

    @Override
    public MemoryBlock wrap(long address, int size, Runnable release) {
        try {
            return newBlock(address, size, release);
        } catch (Throwable e) {
            release.run();
            throw e;
        }
    }

    private static MemoryBlock newBlock(long address, int size, Runnable release) {
        Arena arena = Arena.ofShared();
        MemorySegment segment = MemorySegment.ofAddress(address).reinterpret(size, arena, null);
        ByteBuffer buffer = segment.asByteBuffer();
        Runnable closing = () -> end(arena, release);
        BufferAddress.own(arena.scope());
        try {
            return new MemoryBlock(buffer, address, closing);
        } catch (Throwable e) {
            BufferAddress.disown(arena.scope());
            throw e;
        }
    }

    /**
     * Closes an arena and runs the release. Not an action of the arena, which would not be repeated after a failure.
     */
    private static void end(Arena arena, Runnable release) {
        if (arena.scope().isAlive()) {
            close(arena);
        }
        release.run();
    }

    private static void close(Arena arena) {
        arena.close();
        BufferAddress.disown(arena.scope());
    }

    @Override
    public long address(ByteBuffer direct) {
        return address(direct, Thread.currentThread());
    }

    @Override
    public long sharedAddress(ByteBuffer direct) {
        return address(direct, OTHER_THREAD);
    }

    @Override
    public boolean lasts(ByteBuffer direct) {
        return BufferAddress.isSettled(MemorySegment.ofBuffer(direct).scope());
    }

    private long address(ByteBuffer direct, Thread user) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("not a direct buffer: " + direct);
        }
        int hash = System.identityHashCode(direct);
        for (int way = 0; way < WAYS; way++) {
            KnownBuffer each = known.getAcquire(place(hash, way));
            if (each != null && each.refersTo(direct)) {
                return each.address != KnownBuffer.UNSETTLED ? each.address : bufferAddress.of(direct, user);
            }
        }
        long address = bufferAddress.of(direct, user);
        MemorySegment.Scope scope = MemorySegment.ofBuffer(direct).scope();
        if (!BufferAddress.isStable(scope)) {
            return COPY;
        }
        recordRequest(direct, hash, BufferAddress.isSettled(scope) ? address : KnownBuffer.UNSETTLED);
        return address;
    }

    private static int place(int hash, int way) {
        return hash + way & PLACES - 1;
    }

    /** Adds a buffer to the known ones at its second request, because many buffers are created for a single call. */
    private void recordRequest(ByteBuffer direct, int hash, long address) {
        int first = place(hash, 0);
        if (requested[first] != hash) {
            requested[first] = hash;
            return;
        }
        int free = 0;
        while (free < WAYS - 1 && !isFree(place(hash, free))) {
            free++;
        }
        known.setRelease(place(hash, free), new KnownBuffer(direct, address));
    }

    private boolean isFree(int place) {
        KnownBuffer present = known.getAcquire(place);
        return present == null || present.refersTo(null);
    }
}
