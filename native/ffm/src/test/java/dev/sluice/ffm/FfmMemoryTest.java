package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.MemoryBudget;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What this binding promises beyond the contract: that a mistake is an exception and not a crash. */
@Tag(Depth.IN_QUICK)
class FfmMemoryTest {

    private static final int CALLS = 10_000;
    private static final int SIZE = 4096;
    /** More than an allocation needs. */
    private static final int MAX_FRAMES = 200;
    private static final int STRIDE = Depth.times(20, 5, 1);
    /** The compiler may need some. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final FfmMemory memory = new FfmMemory();

    @Test
    void closedBlockThrowsWhenAccessed() {
        MemoryBlock block = memory.allocate(64);
        ByteBuffer slice = block.buffer().slice(8, 8);
        block.close();
        assertThrows(IllegalStateException.class, () -> block.buffer().get(0));
        assertThrows(IllegalStateException.class, () -> slice.putLong(0, 1));
        assertThrows(IllegalStateException.class, () -> memory.address(block.buffer()));
    }

    @Test
    void closedWrappingThrowsWhenAccessedAndIsReleasedAtOnce() {
        AtomicInteger released = new AtomicInteger();
        try (MemoryBlock whole = memory.allocate(64)) {
            MemoryBlock part = memory.wrap(whole.address(), 64, released::incrementAndGet);
            assertEquals(0, released.get());
            part.close();
            assertEquals(1, released.get());
            assertThrows(IllegalStateException.class, () -> part.buffer().get(0));
            assertEquals(0, whole.buffer().get(0));
        }
    }

    @Test
    void wrappingWhoseReleaseFailsIsReleasedByTheNextClose() {
        AtomicInteger released = new AtomicInteger();
        try (MemoryBlock whole = memory.allocate(64)) {
            MemoryBlock part = memory.wrap(whole.address(), 64, () -> {
                if (released.incrementAndGet() == 1) {
                    throw new OutOfMemoryError("thrown by the test");
                }
            });
            assertThrows(OutOfMemoryError.class, part::close);
            assertThrows(IllegalStateException.class, () -> part.buffer().get(0));
            part.close();
            part.close();
            assertEquals(2, released.get());
        }
    }

    @Test
    void addressIsThatOfIndexZero() {
        ByteBuffer whole = ByteBuffer.allocateDirect(64);
        long address = MemorySegment.ofBuffer(whole).address();
        assertEquals(address, memory.address(whole.position(5)));
        assertEquals(address, memory.sharedAddress(whole));
        assertEquals(address + 16, memory.address(whole.slice(16, 8).position(3)));
    }

    @Test
    void addressesOfManyBuffersAllocateNothing() {
        ByteBuffer whole = ByteBuffer.allocateDirect(64);
        MemoryBlock block = memory.allocate(64);
        ByteBuffer[] buffers = new ByteBuffer[66];
        Arrays.setAll(buffers, i -> switch (i % 3) {
            case 0 -> ByteBuffer.allocateDirect(64);
            case 1 -> whole.slice(i % 64, 1);
            default -> block.buffer().slice(i % 64, 1);
        });
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        // Until the compiler, in a thread of its own, has got to it: a busy machine takes seconds.
        for (long end = System.nanoTime() + PATIENCE_NANOS; least >= CALLS && System.nanoTime() < end;) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                ByteBuffer buffer = buffers[i % buffers.length];
                assertEquals(memory.address(buffer), memory.sharedAddress(buffer));
            }
            least = threads.getCurrentThreadAllocatedBytes() - before;
        }
        block.close();
        assertTrue(least < CALLS, least + " bytes for " + CALLS + " times two addresses");
    }

    @Test
    void memoryOfBuffersThatCannotBeMadeWithoutStackIsFreed() throws Exception {
        // Its classes could not be initialized on a full stack.
        assertEquals(SIZE, memory.allocateBuffer(SIZE).capacity());
        memory.allocate(SIZE).close();
        long before = MemoryBudget.CURRENT.used();
        for (int frames = 0; frames < MAX_FRAMES; frames += STRIDE) {
            int left = frames;
            FullStack.run(frames + " frames left", Duration.ofSeconds(30),
                    () -> FullStack.callWithFramesLeft(left, () -> memory.allocateBuffer(SIZE)));
        }
        for (int i = 0; i < 500 && MemoryBudget.CURRENT.used() > before; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertTrue(MemoryBudget.CURRENT.used() <= before, "never freed");
    }

    @Test
    void otherThreadsMayCloseABlock() {
        MemoryBlock block = memory.allocate(64);
        CompletableFuture.runAsync(block::close).join();
        assertThrows(IllegalStateException.class, () -> block.buffer().get(0));
    }
}
