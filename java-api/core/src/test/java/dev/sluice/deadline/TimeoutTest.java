package dev.sluice.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class TimeoutTest {

    @Test
    void durationsOfAnyLengthAreCounted() {
        assertEquals(0, Timeout.nanos("delay", Duration.ZERO));
        assertEquals(1_500_000_001, Timeout.nanos("delay", Duration.ofSeconds(1, 500_000_001)));
        for (Duration duration : new Duration[] {Duration.ofDays(100 * 365), Duration.ofSeconds(Long.MAX_VALUE)}) {
            assertEquals(Timeout.MAX_NANOS, Timeout.nanos("delay", duration));
        }
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Timeout.nanos("delay", Duration.ofNanos(-1)));
        assertEquals("delay: PT-0.000000001S is negative", e.getMessage());
    }

    @Test
    void centuriesCountAsUnbounded() {
        for (long endless : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, Timeout.MAX_NANOS}) {
            assertEquals(Timeout.FOREVER, Timeout.bounded(endless));
        }
        for (long nanos : new long[] {0, 1, Timeout.MAX_NANOS - 1}) {
            assertEquals(nanos, Timeout.bounded(nanos));
        }
    }

    @Test
    void remainingTimeIsInRange() {
        long begin = Timeout.begin(1);
        while (System.nanoTime() == begin) {
            Thread.onSpinWait();
        }
        assertEquals(0, Timeout.remaining(1, begin));
        long left = Timeout.remaining(Timeout.MAX_NANOS, Timeout.begin(Timeout.MAX_NANOS));
        assertTrue(left > 0 && left <= Timeout.MAX_NANOS, () -> left + " ns");
    }

    @Test
    void zeroAndUnboundedWaitsDoNotReadTheClock() {
        for (long nanos : new long[] {0, Timeout.FOREVER, Long.MIN_VALUE}) {
            assertEquals(nanos, Timeout.remaining(nanos, Timeout.begin(nanos)));
        }
    }

    @Test
    void millisecondsAreRoundedUp() {
        assertEquals(-1, Timeout.millis(Timeout.FOREVER));
        assertEquals(0, Timeout.millis(0));
        assertEquals(1, Timeout.millis(1));
        assertEquals(1, Timeout.millis(1_000_000));
        assertEquals(2, Timeout.millis(1_000_001));
        assertEquals(Integer.MAX_VALUE, Timeout.millis(Long.MAX_VALUE));
    }
}
