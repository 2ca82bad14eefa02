package dev.sluice.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

@Tag(Depth.IN_QUICK)
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
    void timersOnBothSidesOfEachCarryComeInOrder() {
        for (long distance = 8L * slots; distance < Long.MAX_VALUE / 4 / lateness(); distance *= slots) {
            makeQueue();
            List<Timer> expected = new ArrayList<>();
            for (long tick = -3; tick <= 3; tick++) {
                expected.add(timer(distance * lateness() + tick * lateness() * 3 / 2));
            }
            List<Timer> shuffled = new ArrayList<>(expected);
            Collections.shuffle(shuffled, new Random(distance));
            shuffled.forEach(queue::add);
            List<Timer> order = new ArrayList<>();
            for (Timer timer : expected) {
                long deadline = timer.deadline() - base;
                assertEquals(List.of(), due(deadline - 1), "early");
                order.addAll(due(deadline + lateness()));
            }
            assertEquals(expected, order);
        }
    }

    // The same tick at three distances, each in a different wheel.
    @Test
    void timersOfOneTickComeTogetherHoweverFarItWasWhenTheyWereAdded() {
        long turn = slots * lateness();
        long deadline = 2 * turn * slots;
        List<Timer> expected = new ArrayList<>(List.of(add(deadline)));
        assertEquals(List.of(), due(deadline - turn));
        expected.add(add(deadline));
        Timer cancelled = add(deadline);
        assertEquals(List.of(), due(deadline - 1));
        expected.add(add(deadline));
        queue.remove(cancelled);
        assertTrue(queue.earliest(base + deadline - 1) <= lateness());
        List<Timer> found = due(deadline + lateness());
        assertEquals(3, found.size());
        assertTrue(found.containsAll(expected));
        assertTrue(queue.isEmpty());
    }

    @Test
    void earliestFindsTheFirstOfManyDistantTimers() {
        long turn = slots * lateness();
        TreeMap<Long, Timer> left = new TreeMap<>();
        for (int i = 0; i < 200; i++) {
            long offset = turn * slots + i * 37 % 200 * 3 * lateness();
            left.put(offset, add(offset));
        }
        while (!left.isEmpty()) {
            long earliest = queue.earliest(base);
            long offset = left.firstKey();
            assertTrue(earliest >= offset && earliest <= offset + lateness(), () -> earliest + " instead of " + offset);
            queue.remove(left.remove(offset));
        }
        assertEquals(TimerQueue.NEVER, queue.earliest(base));
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
