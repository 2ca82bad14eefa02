package dev.sluice.ffm;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Memory in shared arenas, one per block: a late access to a closed block throws instead of crashing the process.
 * Closing a shared arena costs microseconds, which is why blocks live as long as the loop that uses them.
 */
final class FfmMemory implements Memory {

    /** Any thread but the current one. */
    private static final Thread STRANGER = new Thread(() -> { });

    /** A power of two. */
    private static final int PLACES = 1024;
    /** Number of places in which a buffer may be. */
    private static final int WAYS = 4;

    private final BufferAddress bufferAddress = new BufferAddress();
    // Buffers whose addresses are known. For an ordinary buffer the JDK creates a new scope at each request, and the
    // compiler does not eliminate it if its class is used. A thread that does not see an entry yet finds the address by
    // itself.
    private final AtomicReferenceArray<KnownBuffer> known = new AtomicReferenceArray<>(PLACES);
    /** The hash code of the last unknown buffer for each place. */
    private final int[] asked = new int[PLACES];

    @Override
    public MemoryBlock allocate(int size) {
        Freeing.freeOneLeftOver();
        Freeing release = new Freeing(size);
        release.address = CMemory.allocate(size, false);
        return wrap(CMemory.aligned(release.address), size, release);
    }

    /**
     * Frees a block; made before there is memory, as there may be no heap for it afterwards. Nor may there be heap to
     * call {@code free}: the next allocation does it then.
     */
    private static final class Freeing implements Runnable {

        private static final Object LEFT_OVER_LOCK = new Object();
        /** The first of those that have found no heap; written with the lock held. */
        private static volatile Freeing leftOver;

        private final int size;
        private long address;
        private Freeing next;

        Freeing(int size) {
            this.size = size;
        }

        @Override
        public void run() {
            CMemory.free(address, size, false);
        }

        /** Calls nothing, for which there might be no stack either. */
        static void leave(Freeing each) {
            synchronized (LEFT_OVER_LOCK) {
                each.next = leftOver;
                leftOver = each;
            }
        }

        static void freeOneLeftOver() {
            if (leftOver == null) {
                return;
            }
            Freeing first;
            synchronized (LEFT_OVER_LOCK) {
                first = leftOver;
                if (first == null) {
                    return;
                }
                leftOver = first.next;
                first.next = null;
            }
            release(first);
        }
    }

    /** Frees memory of which no block is made after all. */
    private static void release(Runnable release) {
        try {
            release.run();
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (!(release instanceof Freeing freeing)) {
                throw e;
            }
            Freeing.leave(freeing);
        }
    }

    @Override
    public ByteBuffer allocateBuffer(int size) {
        long address = CMemory.allocate(size, true);
        try {
            Arena arena = Arena.ofAuto();
            ByteBuffer buffer = MemorySegment.ofAddress(CMemory.aligned(address)).reinterpret(size, arena, null)
                    .asByteBuffer();
            // Last, since from then on the collector frees it. All views of the buffer keep the scope reachable.
            Collected.CLEANER.register(arena.scope(), freeing(address, size));
            return buffer;
        } catch (Throwable e) {
            CMemory.free(address, size, true);
            throw e;
        }
    }

    /** A method of its own, so that it does not keep anything reachable. */
    private static Runnable freeing(long address, int size) {
        return () -> Collected.free(address, size);
    }

    /**
     * Frees unreachable memory. Not as an action of the arena: the JDK allocates objects to run one, and if there is no
     * heap for these, it drops the action, and the memory would be leaked.
     */
    private static final class Collected {

        static final Cleaner CLEANER = Cleaner.create();
        private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

        static void free(long address, int size) {
            while (true) {
                try {
                    CMemory.free(address, size, true);
                    return;
                } catch (OutOfMemoryError e) {
                    // For example an OutOfMemoryError, since the JVM sometimes compiles a call. An exception thrown
                    // here would be lost.
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    @Override
    public MemoryBlock wrap(long address, int size, Runnable release) {
        try {
            Arena arena = Arena.ofShared();
            MemorySegment segment = MemorySegment.ofAddress(address).reinterpret(size, arena, null);
            BufferAddress.own(arena.scope());
            return new MemoryBlock(segment.asByteBuffer(), address, () -> end(arena, release));
        } catch (Throwable e) {
            release(release);
            throw e;
        }
    }

    /** Closes an arena and runs the release. Not an action of the arena, which runs each once, even if it fails. */
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
        return address(direct, STRANGER);
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
        if (!BufferAddress.lasts(scope)) {
            return COPY;
        }
        askedFor(direct, hash, BufferAddress.isSettled(scope) ? address : KnownBuffer.UNSETTLED);
        return address;
    }

    private static int place(int hash, int way) {
        return hash + way & PLACES - 1;
    }

    /** Many buffers are created for a single call: a reference is kept only from the second request on. */
    private void askedFor(ByteBuffer direct, int hash, long address) {
        int first = place(hash, 0);
        if (asked[first] != hash) {
            asked[first] = hash;
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
