package dev.sluice.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class MemoryBlockTest {

    private final AtomicInteger released = new AtomicInteger();
    private final long before = MemoryBlock.openBytes();

    @Test
    void closesOnce() {
        MemoryBlock block = new MemoryBlock(ByteBuffer.allocateDirect(100), 4711, released::incrementAndGet);
        assertEquals(before + 100, MemoryBlock.openBytes());
        block.close();
        block.close();
        assertEquals(1, released.get());
        assertEquals(before, MemoryBlock.openBytes());
    }

    @Test
    void aReleaseThatFailsIsTriedAgainByTheNextClose() {
        IllegalStateException inUse = new IllegalStateException("in use");
        MemoryBlock block = new MemoryBlock(ByteBuffer.allocateDirect(100), 4711, () -> {
            if (released.incrementAndGet() == 1) {
                throw inUse;
            }
        });
        assertSame(inUse, assertThrows(IllegalStateException.class, block::close));
        assertFalse(block.isClosed());
        assertEquals(before + 100, MemoryBlock.openBytes());
        block.close();
        block.close();
        assertTrue(block.isClosed());
        assertEquals(2, released.get());
        assertEquals(before, MemoryBlock.openBytes());
    }

    @Test
    void isWhatTheBindingMadeItInNativeOrder() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(8).order(ByteOrder.BIG_ENDIAN);
        try (MemoryBlock block = new MemoryBlock(buffer, 4711, released::incrementAndGet)) {
            assertEquals(4711, block.address());
            assertSame(block.buffer(), block.buffer());
            assertEquals(ByteOrder.nativeOrder(), block.buffer().order());
        }
    }

    @Test
    void closesOnceForManyThreads() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            MemoryBlock block = new MemoryBlock(ByteBuffer.allocateDirect(1), 0, released::incrementAndGet);
            Thread other = new Thread(block::close);
            other.start();
            block.close();
            other.join();
        }
        assertEquals(200, released.get());
        assertEquals(before, MemoryBlock.openBytes());
    }
}
