package dev.sluice.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The budget refuses, and never waits. */
@Tag(Depth.IN_QUICK)
class MemoryBudgetTest {

    /** More than an allocation needs that starts a collection. */
    private static final int MAX_FRAMES = 160;
    private static final int STRIDE = Depth.times(8, 4, 1);
    /** More than an allocation needs that does not. */
    private static final int MAX_FRAMES_TO_TAKE = 40;

    private final MemoryBudget budget = new MemoryBudget(100, 0, () -> { });

    @Test
    void refusesWhatIsMoreThanIsLeft() {
        budget.take(60, false);
        String message = assertThrows(OutOfMemoryError.class, () -> budget.take(41, false)).getMessage();
        assertTrue(message.contains("41") && message.contains("60") && message.contains(MemoryBudget.PROPERTY),
                message);
        assertEquals(60, budget.used());
        budget.take(40, true);
        assertThrows(OutOfMemoryError.class, () -> budget.take(1, false));
        assertThrows(OutOfMemoryError.class, () -> budget.take(Long.MAX_VALUE, false));
        budget.release(60, false);
        budget.release(40, true);
        assertEquals(0, budget.used());
        budget.take(100, false);
    }

    /** A program that uses more than half of it for long is not collected again and again. */
    @Test
    void collectionIsRepeatedForNewMemoryAlone() throws Exception {
        Semaphore collections = new Semaphore(0);
        MemoryBudget large = new MemoryBudget(1000, 0, collections::release);
        large.take(600, true);
        large.take(1, true);
        assertTrue(collections.tryAcquire(1, 30, TimeUnit.SECONDS), "it is not collected");
        awaitEndOfCollection(large);
        for (int i = 0; i < 200; i++) {
            large.take(1, true);
        }
        assertEquals(0, collections.availablePermits());
        // What has been freed counts as new when it is taken again.
        large.release(300, true);
        large.take(300, true);
        large.take(1, true);
        assertTrue(collections.tryAcquire(1, 30, TimeUnit.SECONDS), "it is not collected again");
    }

    private static void awaitEndOfCollection(MemoryBudget budget) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (budget.isCollecting() && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        assertFalse(budget.isCollecting());
    }

    @Test
    void collectionIsNotBlockedByAnAllocationWithoutStack() throws Exception {
        // Its classes could not be initialized on a full stack.
        takeUntilCollected(new MemoryBudget(1000, 0, () -> { }));
        for (int frames = 0; frames < MAX_FRAMES; frames += STRIDE) {
            MemoryBudget large = new MemoryBudget(1000, 0, () -> { });
            large.take(600, true);
            int left = frames;
            FullStack.run(frames + " frames left", Duration.ofSeconds(30),
                    () -> FullStack.callWithFramesLeft(left, () -> large.take(1, true)));
            awaitEndOfCollection(large);
        }
    }

    @Test
    void allocationWithoutStackTakesAllOrNothing() throws Exception {
        for (int frames = 0; frames < MAX_FRAMES_TO_TAKE; frames += Depth.times(4, 1, 1)) {
            MemoryBudget large = new MemoryBudget(1000, 0, () -> { });
            boolean[] isTaken = new boolean[1];
            int left = frames;
            FullStack.run(frames + " frames left", Duration.ofSeconds(30),
                    () -> FullStack.callWithFramesLeft(left, () -> {
                        large.take(10, true);
                        isTaken[0] = true;
                    }));
            assertEquals(isTaken[0] ? 10 : 0, large.used(), frames + " frames left");
        }
    }

    private static void takeUntilCollected(MemoryBudget budget) {
        budget.take(600, true);
        budget.take(1, true);
        awaitEndOfCollection(budget);
    }

    @Test
    void refusalForTheSakeOfGarbageIsAsImmediate() {
        budget.take(100, true);
        // The collector is run elsewhere.
        assertThrows(OutOfMemoryError.class, () -> budget.take(1, true));
        assertThrows(OutOfMemoryError.class, () -> budget.take(1, true));
    }
}
