package dev.sluice.ffm;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Memory in shared arenas, one per block: a late access to a closed block throws instead of crashing the process.
 * Closing a shared arena costs microseconds, which is why blocks live as long as the loop that uses them.
 */
final class FfmMemory implements Memory {

    private static final int ALIGNMENT = 64;
    /** Any thread but the current one. */
    private static final Thread STRANGER = new Thread(() -> { });

    private final BufferAddress bufferAddress = new BufferAddress();

    @Override
    public MemoryBlock allocate(int size) {
        if (size < 1 || size > Integer.MAX_VALUE - ALIGNMENT) {
            throw new IllegalArgumentException("size: " + size);
        }
        Arena arena = Arena.ofShared();
        try {
            MemorySegment segment = arena.allocate(size, ALIGNMENT);
            LastingBuffers.own(arena.scope());
            return new MemoryBlock(segment.asByteBuffer(), segment.address(), () -> close(arena));
        } catch (Throwable e) {
            // The garbage collector does not close a shared arena.
            close(arena);
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
