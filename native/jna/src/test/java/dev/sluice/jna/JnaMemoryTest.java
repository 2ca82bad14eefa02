package dev.sluice.jna;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.MemoryBudget;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class JnaMemoryTest {

    private static final int SIZE = 4096;
    /** More than an allocation needs. */
    private static final int MAX_FRAMES = 200;
    private static final int STRIDE = Depth.times(20, 5, 1);

    private final JnaMemory memory = new JnaMemory();

    @Test
    void memoryOfBuffersThatCannotBeMadeWithoutStackIsFreed() throws Exception {
        // Its classes could not be initialized on a full stack.
        assertEquals(SIZE, memory.allocateBuffer(SIZE).capacity());
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
}
