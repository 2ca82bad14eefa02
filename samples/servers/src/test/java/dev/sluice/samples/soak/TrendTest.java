package dev.sluice.samples.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** What the campaign about time takes for a leak, and what not. */
class TrendTest {

    private static final int LOOKS = 48;
    private static final long MESSAGES = 10_000;
    private static final int NOISE = 20_000;
    private static final long SEVERAL_LOOKS = 4;

    private static Trend trend(LongUnaryOperator heapAfter) {
        Random random = new Random(5);
        List<Look> looks = new ArrayList<>();
        for (long i = 1; i <= LOOKS; i++) {
            long outlier = i % 10 == 3 ? 2 << 20 : 0;
            long heap = (5 << 20) + outlier + random.nextInt(NOISE) + heapAfter.applyAsLong(i * MESSAGES);
            looks.add(new Look(i * MESSAGES, heap, 0, 0, 0, 0, 0, 0, Duration.ZERO, 1));
        }
        return Trend.of(looks, Look::heap);
    }

    private static boolean isLeak(Trend trend) {
        return trend.certainGrowth() > Allowance.HEAP.maximum();
    }

    @Test
    void aByteAMessageIsALeak() {
        Trend trend = trend(messages -> messages);
        assertEquals(1, trend.perMessage(), 0.2);
        assertTrue(isLeak(trend), trend::toString);
        assertTrue(trend.noticed(Allowance.HEAP.maximum()) < 1, trend::toString);
    }

    @Test
    void anArrayThatDoublesIsALeak() {
        Trend trend = trend(messages -> 64 * Long.highestOneBit(messages));
        assertTrue(isLeak(trend), trend::toString);
    }

    @Test
    void noiseIsNone() {
        Trend trend = trend(messages -> 0);
        assertFalse(isLeak(trend), trend::toString);
    }

    @Test
    void whatIsGivenBackIsNone() {
        Trend trend = trend(messages -> (LOOKS * MESSAGES - messages) * 10);
        assertFalse(isLeak(trend), trend::toString);
    }

    @Test
    void aPoolThatGrowsOnceIsNone() {
        for (long at = 0; at <= LOOKS; at += SEVERAL_LOOKS) {
            long grown = at * MESSAGES;
            Trend trend = trend(messages -> messages > grown ? 1 << 20 : 0);
            assertFalse(isLeak(trend), () -> grown + ": " + trend);
        }
    }
}
