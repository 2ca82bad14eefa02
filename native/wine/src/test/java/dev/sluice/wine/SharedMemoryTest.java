package dev.sluice.wine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.MemoryBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedMemoryTest extends Win32Test {

    private static final int CACHE_LINE = 64;

    @Test
    void isAlignedZeroedAndOfTheExactSize() {
        for (int size = 1; size <= 300; size++) {
            for (int again = 0; again < 2; again++) {
                try (MemoryBlock block = memory.allocate(size)) {
                    assertEquals(0, block.address() % CACHE_LINE, "alignment of " + size);
                    ByteBuffer buffer = block.buffer();
                    assertEquals(size, buffer.capacity());
                    assertEquals(ByteOrder.nativeOrder(), buffer.order());
                    assertSame(buffer, block.buffer());
                    for (int i = 0; i < size; i++) {
                        assertEquals(0, buffer.get(i), "byte " + i + " of " + size);
                        buffer.put(i, (byte) 0xA5);
                    }
                }
            }
        }
    }

    @Test
    void blocksDoNotOverlapAndAreUsedAgain() {
        MemoryBlock one = block(100);
        MemoryBlock other = memory.allocate(100);
        assertTrue(Math.abs(one.address() - other.address()) >= 100);
        long first = other.address();
        other.close();
        other.close();
        assertEquals(first, block(100).address());
        assertNotEquals(first, block(100).address());
    }

    @Test
    void refusesSizesThatAreNone() {
        for (int size : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE - 63, Integer.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> memory.allocate(size), () -> "size " + size);
        }
    }

    @Test
    void saysWhenTheRegionIsExhausted() {
        long before = MemoryBlock.openBytes();
        OutOfMemoryError none = assertThrows(OutOfMemoryError.class, () -> memory.allocate(SharedRegion.SIZE));
        assertTrue(none.getMessage().contains("shared with the Win32 host"), none.getMessage());
        assertEquals(before, MemoryBlock.openBytes());
    }

    @Test
    void addressOfABufferIsItsOwn() {
        MemoryBlock block = block(100);
        assertEquals(block.address(), memory.address(block.buffer().duplicate().position(100)));
        assertEquals(block.address() + 7, memory.address(block.buffer().slice(7, 20)));

        ByteBuffer foreign = ByteBuffer.allocateDirect(100);
        long address = memory.address(foreign);
        assertEquals(address, memory.sharedAddress(foreign.duplicate().position(3)));
        assertEquals(address + 7, memory.address(foreign.slice(7, 20)));
        assertThrows(IllegalArgumentException.class, () -> memory.address(ByteBuffer.allocate(8)));
    }

    @Test
    void memoryOfTheHostCannotBeWrapped() {
        AtomicInteger released = new AtomicInteger();
        assertThrows(UnsupportedOperationException.class,
                () -> memory.wrap(SharedRegion.BASE, 1, released::incrementAndGet));
        assertEquals(1, released.get());
    }
}
