package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    @Test
    void neverEndsWhatCannotBeCounted() {
        assertEquals(-1, Deadline.in(Duration.ofSeconds(Long.MAX_VALUE)).pollMillis());
        assertEquals(-1, Deadline.in(Duration.ofDays(200 * 365)).pollMillis());
        assertEquals(Integer.MAX_VALUE, Deadline.in(Duration.ofDays(100 * 365)).pollMillis());
    }

    @Test
    void isOverAtOnceOrInTime() {
        assertEquals(0, Deadline.in(Duration.ZERO).pollMillis());
        int millis = Deadline.in(Duration.ofHours(1)).pollMillis();
        assertTrue(millis > 0 && millis <= 3_600_000, () -> millis + " ms");
    }

    @Test
    void negativeTimeIsNamed() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Deadline.in(Duration.ofMillis(-5)));
        assertEquals("timeout: PT-0.005S is negative", e.getMessage());
    }
}
