package dev.sluice.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of every {@link TimerQueue}. Time is only a number here: no test waits. */
abstract class TimerQueueContract {

    static final long YEAR = Duration.ofDays(365).toNanos();

    private static final long SEED = 20_240_229;

    TimerQueue queue;
    /** A time after the creation of the queue. */
    long base;

    abstract TimerQueue newQueue();

    /** {@return a time on the scale of the queue, not before its creation} */
    long newBase() {
        return System.nanoTime();
    }

    /** {@return the maximum delay of a timer} */
    abstract long lateness();

    @BeforeEach
    final void makeQueue() {
        queue = newQueue();
        base = newBase();
    }

    /** {@return a distance at which one timer is certainly due after another} */
    final long step() {
        return 2 * lateness() + 1_000;
    }

    final Timer add(long offset) {
        Timer timer = timer(offset);
        queue.add(timer);
        return timer;
    }

    final Timer timer(long offset) {
        return new Timer(token -> { }, null, base + offset, Timer.ONCE);
    }

    /** {@return all timers that are due, in the order of the queue} */
    final List<Timer> due(long offset) {
        List<Timer> timers = new ArrayList<>();
        for (Timer timer = queue.poll(base + offset); timer != null; timer = queue.poll(base + offset)) {
            timers.add(timer);
        }
        return timers;
    }

    @Test
    void isEmptyAtFirst() {
        assertEquals(0, queue.size());
        assertTrue(queue.isEmpty());
        assertNull(queue.poll(base));
        assertEquals(TimerQueue.NEVER, queue.earliest(base));
    }

    @Test
    void isEmptyAgainAfterItsLastTimer() {
        add(0);
        queue.remove(add(step()));
        assertEquals(1, queue.size());
        assertFalse(queue.isEmpty());
        assertEquals(1, due(step()).size());
        assertTrue(queue.isEmpty());
        assertNull(queue.poll(base + 2 * step()));
        assertEquals(TimerQueue.NEVER, queue.earliest(base + 2 * step()));
    }

    @Test
    void returnsTimersByDeadline() {
        List<Timer> expected = timers(1_000);
        addShuffled(expected);
        List<Timer> order = new ArrayList<>();
        for (int i = 0; i < expected.size(); i++) {
            order.addAll(due(i * step() + lateness()));
        }
        assertSameOrder(expected, order);
    }

    @Test
    void returnsTimersByDeadlineAfterManyRevolutions() {
        List<Timer> expected = timers(1_000);
        addShuffled(expected);
        assertSameOrder(expected, due(expected.size() * step()));
    }

    @Test
    void returnsTimersByDeadlineWithEarlierOnesRemaining() {
        List<Timer> expected = timers(300);
        addShuffled(expected);
        List<Timer> order = new ArrayList<>();
        for (int i = 0; order.size() < expected.size() && i < 3 * expected.size(); i++) {
            Timer timer = queue.poll(base + 2 * i * step());
            if (timer != null) {
                order.add(timer);
            }
        }
        assertSameOrder(expected, order);
    }

    // A message that lists all timers would be useless.
    private static void assertSameOrder(List<Timer> expected, List<Timer> found) {
        assertEquals(expected.size(), found.size(), "timers");
        for (int i = 0; i < expected.size(); i++) {
            assertSame(expected.get(i), found.get(i), "timer " + i);
        }
    }

    private List<Timer> timers(int count) {
        List<Timer> timers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            timers.add(timer(i * step()));
        }
        return timers;
    }

    private void addShuffled(List<Timer> timers) {
        List<Timer> shuffled = new ArrayList<>(timers);
        Collections.shuffle(shuffled, new Random(SEED));
        shuffled.forEach(queue::add);
    }

    @Test
    void returnsAllTimersOfOneDeadline() {
        Set<Timer> expected = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            expected.add(add(step()));
        }
        assertEquals(List.of(), due(step() - 1));
        List<Timer> found = due(step() + lateness());
        assertEquals(500, found.size());
        assertEquals(expected, new HashSet<>(found));
    }

    @Test
    void isNeverEarlyAndNeverLaterThanItsLateness() {
        for (long offset = 1; offset < 50 * step(); offset += step() + lateness() / 7) {
            Timer timer = add(offset);
            assertNull(queue.poll(base + offset - 1), "early");
            assertSame(timer, queue.poll(base + offset + lateness()), "late");
        }
    }

    @Test
    void removesFromEveryPosition() {
        for (int count = 1; count <= 20; count++) {
            for (int position = 0; position < count; position++) {
                makeQueue();
                List<Timer> left = timers(count);
                addShuffled(left);
                Timer removed = left.remove(position);
                queue.remove(removed);
                assertEquals(count - 1, queue.size());
                queue.remove(removed);
                assertEquals(count - 1, queue.size(), "removed twice");
                assertSameOrder(left, due(count * step()));
            }
        }
    }

    @Test
    void removesFromEveryPositionAmongTimersOfOneDeadline() {
        for (int position = 0; position < 7; position++) {
            makeQueue();
            List<Timer> left = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                left.add(add(step()));
            }
            queue.remove(left.remove(position));
            List<Timer> found = due(2 * step());
            assertEquals(6, found.size());
            assertTrue(found.containsAll(left));
        }
    }

    @Test
    void removesTimersThatAreDueAlready() {
        for (int position = 1; position < 6; position++) {
            makeQueue();
            List<Timer> left = timers(6);
            left.forEach(queue::add);
            assertSame(left.remove(0), queue.poll(base + 6 * step()));
            queue.remove(left.remove(position - 1));
            assertEquals(4, queue.size());
            assertEquals(0, queue.earliest(base + 6 * step()));
            Timer late = add(7 * step());
            assertSameOrder(left, due(6 * step()));
            assertEquals(List.of(late), due(8 * step()));
        }
    }

    @Test
    void removingTheLastTimerThatIsDueLeavesTheOthers() {
        Timer first = add(0);
        Timer second = add(0);
        Timer later = add(10 * step());
        Timer handedOut = queue.poll(base + step());
        queue.remove(handedOut == first ? second : first);
        assertNull(queue.poll(base + step()));
        assertTrue(queue.earliest(base + step()) > 0);
        assertSame(later, queue.poll(base + 11 * step()));
    }

    @Test
    void ignoresTheRemovalOfATimerThatItDoesNotHold() {
        Timer held = add(step());
        Timer polled = add(0);
        assertSame(polled, queue.poll(base + lateness()));
        TimerQueue other = newQueue();
        Timer stranger = timer(0);
        other.add(stranger);
        queue.remove(polled);
        queue.remove(stranger);
        queue.remove(timer(0));
        assertEquals(1, queue.size());
        assertEquals(1, other.size());
        assertSame(held, queue.poll(base + 2 * step()));
        assertSame(stranger, other.poll(base + YEAR));
    }

    @Test
    void takesATimerAgainThatItHasHandedOut() {
        Timer timer = add(0);
        Timer other = add(1_000 * step());
        for (int i = 1; i < 100; i++) {
            assertSame(timer, queue.poll(base + lateness()));
            queue.add(timer);
            queue.remove(timer);
            queue.add(timer);
            makeDue();
        }
        assertSame(timer, queue.poll(base + 2 * step()));
        assertNull(queue.poll(base + 2 * step()));
        assertSame(other, queue.poll(base + 1_001 * step()));
    }

    // A timer that is already late when it is added may have to wait for the next tick.
    private void makeDue() {
        base += lateness();
    }

    @Test
    void leavesOutMissedPeriods() {
        long period = step();
        List<Long> expiries = new ArrayList<>();
        Timer timer = new Timer(token -> { }, null, base + period, period);
        queue.add(timer);
        for (double periods : new double[] {1, 2, 2.5, 7.25, 8, 300, 301}) {
            long now = base + (long) (periods * period) + lateness();
            if (queue.poll(now) == timer) {
                expiries.add((timer.deadline() - base) / period);
                assertTrue(timer.repeat(now));
                assertTrue(timer.deadline() - now > 0 && timer.deadline() - now <= period);
                queue.add(timer);
            }
            assertNull(queue.poll(now), "a missed period was made up for");
        }
        assertEquals(List.of(1L, 2L, 3L, 8L, 9L, 301L), expiries);
    }

    @Test
    void survivesAPauseOfManyTurns() {
        Timer near = add(step());
        Timer far = add(100_000 * step());
        Timer farther = add(200_000 * step());
        assertEquals(List.of(near), due(50_000 * step()));
        assertEquals(List.of(far), due(150_000 * step()));
        assertEquals(List.of(farther), due(250_000 * step()));
    }

    @Test
    void takesDeadlinesThatAreYearsAway() {
        Timer century = add(100 * YEAR);
        Timer year = add(YEAR);
        Timer soon = add(step());
        assertEquals(List.of(soon), due(2 * step()));
        assertTrue(queue.earliest(base + 2 * step()) <= YEAR + lateness());
        assertEquals(List.of(), due(YEAR - 1));
        assertEquals(List.of(year), due(YEAR + lateness()));
        assertEquals(List.of(), due(100 * YEAR - 1));
        assertEquals(List.of(century), due(100 * YEAR + lateness()));
    }

    @Test
    void takesDeadlinesThatHavePassed() {
        assertNull(queue.poll(base));
        Timer longAgo = add(-50 * YEAR);
        Timer justNow = add(-1);
        Timer coming = add(3 * step());
        assertTrue(queue.earliest(base) <= lateness());
        assertEquals(Set.of(longAgo, justNow), new HashSet<>(due(lateness())));
        assertEquals(List.of(coming), due(4 * step()));
    }

    @Test
    void earliestReturnsTheEarliestExpiry() {
        Timer third = add(3 * step());
        Timer first = add(step());
        Timer second = add(2 * step());
        assertEarliest(step());
        queue.remove(first);
        assertEarliest(2 * step());
        queue.remove(third);
        assertEarliest(2 * step());
        queue.remove(second);
        assertEquals(TimerQueue.NEVER, queue.earliest(base));
    }

    private void assertEarliest(long offset) {
        long earliest = queue.earliest(base);
        assertTrue(earliest >= offset && earliest <= offset + lateness(), () -> earliest + " instead of " + offset);
        assertEquals(1, queue.earliest(base + earliest - 1));
        assertEquals(0, queue.earliest(base + earliest));
        assertEquals(0, queue.earliest(base + earliest + YEAR));
    }

    @Test
    void holdsManyTimers() {
        List<Timer> expected = timers(10_000);
        addShuffled(expected);
        assertEquals(10_000, queue.size());
        assertSameOrder(expected, due(10_000 * step()));
    }

    @Test
    void returnsCancelledTimersLikeOthers() throws Exception {
        Timer timer = add(0);
        assertTrue(timer.cancel());
        assertSame(timer, queue.poll(base + lateness()));
        assertFalse(timer.claim());
        assertTrue(queue.isEmpty());
    }

    @Test
    void agreesWithASortedList() {
        new SortedModel(this, SEED).operate(100_000);
    }
}
