package dev.sluice.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class DeadlineTest {

    @Test
    void neverEndsWhatCannotBeCounted() {
        for (Duration duration : new Duration[] {Duration.ofSeconds(Long.MAX_VALUE), Duration.ofDays(200 * 365),
                Duration.ofDays(100 * 365)}) {
            Deadline deadline = Deadline.in(duration);
            assertEquals(Integer.MAX_VALUE, deadline.pollMillis(Integer.MAX_VALUE));
            assertFalse(deadline.isOver());
        }
    }

    @Test
    void waitIsBoundedByTheMaximum() {
        assertEquals(20, Deadline.in(Duration.ofHours(1)).pollMillis(20));
        assertEquals(20, Deadline.in(Duration.ofSeconds(Long.MAX_VALUE)).pollMillis(20));
    }

    @Test
    void isOverAtOnceOrInTime() {
        assertEquals(0, Deadline.in(Duration.ZERO).pollMillis(20));
        assertTrue(Deadline.in(Duration.ZERO).isOver());
        int millis = Deadline.in(Duration.ofHours(1)).pollMillis(Integer.MAX_VALUE);
        assertTrue(millis > 0 && millis <= 3_600_000, () -> millis + " ms");
    }

    @Test
    void negativeTimeIsNamed() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Deadline.in(Duration.ofMillis(-5)));
        assertEquals("timeout: PT-0.005S is negative", e.getMessage());
    }
}
