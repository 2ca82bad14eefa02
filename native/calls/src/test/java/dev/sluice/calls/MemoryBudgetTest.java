package dev.sluice.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The budget refuses, and never waits. */
@Tag(Depth.IN_QUICK)
class MemoryBudgetTest {

    private final MemoryBudget budget = new MemoryBudget(100);

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
        budget.giveBack(60, false);
        budget.giveBack(40, true);
        assertEquals(0, budget.used());
        budget.take(100, false);
    }

    @Test
    void refusalForTheSakeOfGarbageIsAsImmediate() {
        budget.take(100, true);
        // The collector is run elsewhere.
        assertThrows(OutOfMemoryError.class, () -> budget.take(1, true));
        assertThrows(OutOfMemoryError.class, () -> budget.take(1, true));
    }
}
