package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.MemoryBlock;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What this binding promises beyond the contract: that a mistake is an exception and not a crash. */
class FfmMemoryTest {

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
    void addressRefusesAFreedArena() {
        ByteBuffer freed;
        try (Arena arena = Arena.ofShared()) {
            freed = arena.allocate(64).asByteBuffer();
            assertTrue(memory.address(freed) != 0);
        }
        String message = assertThrows(IllegalStateException.class, () -> memory.address(freed)).getMessage();
        assertTrue(message.contains("freed"), message);
    }

    @Test
    void addressRefusesTheConfinedArenaOfAnotherThread() {
        try (Arena arena = Arena.ofConfined()) {
            ByteBuffer confined = arena.allocate(64).asByteBuffer();
            assertTrue(memory.address(confined) != 0, "its own thread may");
            Throwable refusal = CompletableFuture.supplyAsync(() -> memory.address(confined))
                    .handle((address, failure) -> failure.getCause())
                    .join();
            assertEquals(IllegalStateException.class, refusal.getClass());
            assertTrue(refusal.getMessage().contains("confined"), refusal::getMessage);
        }
    }

    @Test
    void otherThreadsMayCloseABlock() {
        MemoryBlock block = memory.allocate(64);
        CompletableFuture.runAsync(block::close).join();
        assertThrows(IllegalStateException.class, () -> block.buffer().get(0));
    }
}
