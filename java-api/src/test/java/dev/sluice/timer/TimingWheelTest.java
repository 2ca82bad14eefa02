package dev.sluice.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

@ParameterizedClass(name = "{1} slots of {0}")
@CsvSource({"PT0.000001S, 2", "PT0.001S, 512", "PT0.01S, 8", "PT1S, 64", "PT1H, 4"})
class TimingWheelTest extends TimerQueueContract {

    @Parameter(0)
    Duration tick;

    @Parameter(1)
    int slots;

    @Override
    TimerQueue newQueue() {
        return new TimingWheel(tick, slots);
    }

    @Override
    long lateness() {
        return tick.toNanos();
    }

    @Test
    void expiresNothingBetweenTheTicks() {
        add(lateness() / 2);
        long untilTick = queue.earliest(base);
        add(untilTick + 1);
        assertEquals(1, due(untilTick).size());
        assertEquals(lateness(), queue.earliest(base + untilTick));
        assertEquals(0, due(untilTick + lateness() - 1).size());
        assertEquals(1, due(untilTick + lateness()).size());
    }

    @Test
    void timersOfOneSlotAndDifferentTurnsDoNotDisturbEachOther() {
        long turn = slots * lateness();
        for (int i = 1; i <= 20; i++) {
            add(i * turn);
        }
        for (int i = 1; i <= 20; i++) {
            assertEquals(0, due(i * turn - 1).size());
            assertTrue(queue.earliest(base + i * turn - 1) <= lateness() + 1);
            assertEquals(1, due(i * turn + lateness()).size());
        }
    }

    @Test
    void refusesSizesThatCannotWork() {
        assertThrows(IllegalArgumentException.class, () -> new TimingWheel(tick, 0));
        assertThrows(IllegalArgumentException.class, () -> new TimingWheel(tick, 1));
        assertThrows(IllegalArgumentException.class, () -> new TimingWheel(tick, 3));
        assertThrows(IllegalArgumentException.class, () -> new TimingWheel(tick, -2));
        assertThrows(IllegalArgumentException.class, () -> new TimingWheel(Duration.ZERO, slots));
        assertThrows(IllegalArgumentException.class, () -> new TimingWheel(Duration.ofNanos(999), slots));
        assertThrows(IllegalArgumentException.class, () -> new TimingWheel(tick.negated(), slots));
        assertThrows(IllegalArgumentException.class, () -> new TimingWheel(Duration.ofDays(2), slots));
    }
}
