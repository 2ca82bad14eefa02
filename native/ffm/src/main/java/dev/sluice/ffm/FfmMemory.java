package dev.sluice.ffm;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Memory in shared arenas, one per block: a late access to a closed block throws instead of crashing the process.
 * Closing a shared arena costs microseconds, which is why blocks live as long as the loop that uses them.
 */
final class FfmMemory implements Memory {

    /** Any thread but the current one. */
    private static final Thread STRANGER = new Thread(() -> { });

    private final BufferAddress bufferAddress = new BufferAddress();

    @Override
    public MemoryBlock allocate(int size) {
        long address = CMemory.allocate(size, false);
        return wrap(CMemory.aligned(address), size, () -> CMemory.free(address, size, false));
    }

    @Override
    public ByteBuffer allocateBuffer(int size) {
        long address = CMemory.allocate(size, true);
        AtomicBoolean freed = new AtomicBoolean();
        // Once, whether the arena has got it or not before something failed.
        Consumer<MemorySegment> release = segment -> {
            if (freed.compareAndSet(false, true)) {
                CMemory.free(address, size, true);
            }
        };
        try {
            return MemorySegment.ofAddress(CMemory.aligned(address)).reinterpret(size, Arena.ofAuto(), release)
                    .asByteBuffer();
        } catch (Throwable e) {
            release.accept(null);
            throw e;
        }
    }

    @Override
    public MemoryBlock wrap(long address, int size, Runnable release) {
        try {
            Arena arena = Arena.ofShared();
            MemorySegment segment = MemorySegment.ofAddress(address).reinterpret(size, arena, null);
            LastingBuffers.own(arena.scope());
            return new MemoryBlock(segment.asByteBuffer(), address, () -> end(arena, release));
        } catch (Throwable e) {
            release.run();
            throw e;
        }
    }

    /** Not an action of the arena, which runs each once, even if it fails. */
    private static void end(Arena arena, Runnable release) {
        if (arena.scope().isAlive()) {
            close(arena);
        }
        release.run();
    }

    private static void close(Arena arena) {
        arena.close();
        LastingBuffers.disown(arena.scope());
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
        return bufferAddress.of(direct, user);
    }
}
