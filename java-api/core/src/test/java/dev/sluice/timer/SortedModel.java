package dev.sluice.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * Applies the same random changes to a queue and a sorted set, and compares them. Times are relative to the base of the
 * test.
 */
final class SortedModel {

    /**
     * A timer that the queue should hold.
     *
     * @param deadline the earliest time at which it may be due
     * @param latest   the latest time at which it must be due
     */
    private record Expected(int number, long deadline, long latest) {
    }

    private final TimerQueueContract test;
    private final long seed;
    private final Random random;
    private final TreeSet<Expected> byLatest = new TreeSet<>(
            Comparator.comparingLong(Expected::latest).thenComparingInt(Expected::number));
    private final List<Timer> held = new ArrayList<>();
    private int made;
    private long now;
    private long polled;

    SortedModel(TimerQueueContract test, long seed) {
        this.test = test;
        this.seed = seed;
        this.random = new Random(seed);
    }

    void operate(int operations) {
        for (int i = 0; i < operations; i++) {
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> add();
                case 4, 5 -> remove();
                case 6 -> now += delay();
                default -> poll();
            }
            assertEquals(held.size(), test.queue.size(), this::toString);
        }
        now += 200 * TimerQueueContract.YEAR;
        while (!held.isEmpty()) {
            poll();
        }
        poll();
    }

    private void add() {
        long deadline = now + (random.nextInt(5) == 0 ? -delay() : delay());
        deadline += random.nextInt(100) == 0 ? random.nextInt(99) * TimerQueueContract.YEAR : 0;
        // Timers already late are due with the first tick that the queue has not processed.
        long from = test.lateness() == 0 ? deadline : Math.max(deadline, polled);
        Expected expected = new Expected(made++, deadline, from + test.lateness());
        byLatest.add(expected);
        Timer timer = new Timer(token -> { }, expected, test.base + deadline, Timer.ONCE);
        held.add(timer);
        test.queue.add(timer);
    }

    private void remove() {
        if (!held.isEmpty()) {
            Timer timer = held.get(random.nextInt(held.size()));
            forget(timer);
            test.queue.remove(timer);
        }
    }

    private void poll() {
        long earliest = test.queue.earliest(test.base + now);
        if (held.isEmpty()) {
            assertEquals(TimerQueue.NEVER, earliest, this::toString);
        } else {
            long allowed = Math.max(byLatest.first().latest() - now, 0);
            assertTrue(earliest >= 0 && earliest <= allowed, () -> earliest + " > " + allowed + this);
        }
        Timer timer = test.queue.poll(test.base + now);
        polled = now;
        if (timer == null) {
            assertTrue(earliest > 0, () -> "earliest() says that a timer is due, and none is" + this);
            assertTrue(held.isEmpty() || byLatest.first().latest() > now, () -> "late: " + byLatest.first() + this);
        } else {
            Expected expected = (Expected) timer.token();
            assertEquals(0, earliest, () -> "earliest() says that no timer is due" + this);
            assertTrue(byLatest.contains(expected), () -> "not held: " + expected + this);
            assertTrue(expected.deadline() <= now, () -> "early: " + expected + this);
            assertTrue(expected.deadline() <= byLatest.first().latest(),
                    () -> expected + " came before " + byLatest.first() + this);
            forget(timer);
        }
    }

    private void forget(Timer timer) {
        Expected expected = (Expected) timer.token();
        assertTrue(byLatest.remove(expected));
        int index = held.indexOf(timer);
        held.set(index, held.get(held.size() - 1));
        held.remove(held.size() - 1);
    }

    /** {@return mostly a few steps, seldom many} */
    private long delay() {
        long steps = random.nextInt(50) == 0 ? 5_000 : 5;
        return (long) (random.nextDouble() * Math.min(steps * test.step(), TimerQueueContract.YEAR / 10));
    }

    @Override
    public String toString() {
        return " (seed " + seed + ", timer " + made + ", now " + now + ")";
    }
}
