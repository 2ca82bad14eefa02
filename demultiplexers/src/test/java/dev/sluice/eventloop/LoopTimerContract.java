package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.timer.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Timers that run tasks, and those that are started again and again. */
public interface LoopTimerContract {

    Duration A_DAY = Duration.ofDays(1);
    Duration MOMENT = Duration.ofMillis(2);

    /** {@return the loop under test} */
    EventLoop timed();

    /** {@return whether many threads may run it} */
    boolean runsOnManyThreads();

    /** Runs the loop in this thread. */
    private void runUntil(BooleanSupplier happened) throws IOException {
        long end = System.nanoTime() + EventLoopContract.LIMIT.toNanos();
        while (!happened.getAsBoolean()) {
            long left = end - System.nanoTime();
            assertTrue(left > 0, "it does not happen");
            timed().runOnce(Duration.ofNanos(left));
        }
    }

    /** Runs the loop in this thread for longer than the moment. */
    private void runForAWhile() throws IOException {
        CountDownLatch later = new CountDownLatch(1);
        timed().schedule(later::countDown, MOMENT.multipliedBy(5));
        runUntil(() -> later.getCount() == 0);
    }

    @Test
    default void tasksRunAfterTheirDelay() throws Exception {
        List<String> ran = new ArrayList<>();
        long start = System.nanoTime();
        timed().schedule(() -> ran.add("later"), MOMENT.multipliedBy(20));
        Timer sooner = timed().schedule(() -> ran.add("sooner"), MOMENT);
        Timer never = timed().schedule(() -> ran.add("never"), MOMENT.multipliedBy(3));
        assertTrue(never.cancel());
        assertFalse(never.cancel());
        runUntil(() -> ran.size() == 2);
        assertTrue(System.nanoTime() - start >= MOMENT.multipliedBy(20).toNanos());
        assertEquals(List.of("sooner", "later"), ran);
        assertFalse(sooner.isPending());
        assertFalse(sooner.cancel());
        assertThrows(IllegalArgumentException.class, () -> timed().schedule(() -> { }, Duration.ofNanos(-1)));
        assertThrows(NullPointerException.class, () -> timed().schedule(null, Duration.ZERO));
    }

    @Test
    default void tasksRunPeriodicallyUntilTheyAreCancelled() throws Exception {
        Timer[] timer = new Timer[1];
        int[] count = new int[1];
        timer[0] = timed().schedule(() -> {
            count[0]++;
            if (count[0] == 3) {
                assertTrue(timer[0].cancel());
            } else {
                throw new LinkageError("thrown by the test");
            }
        }, Duration.ZERO, MOMENT);
        runUntil(() -> count[0] == 3);
        runForAWhile();
        assertEquals(3, count[0]);
        assertThrows(IllegalArgumentException.class, () -> timed().schedule(() -> { }, MOMENT, Duration.ZERO));
        assertThrows(IllegalStateException.class, () -> timer[0].start(MOMENT));
    }

    @Test
    default void aTimerIsStartedManyTimes() throws Exception {
        int[] count = new int[1];
        Timer timer = timed().newTimer(() -> count[0]++);
        assertFalse(timer.isPending());
        assertFalse(timer.cancel());
        runForAWhile();
        assertEquals(0, count[0]);
        for (int i = 1; i <= 5; i++) {
            int expected = i;
            timer.start(MOMENT);
            assertTrue(timer.isPending());
            runUntil(() -> count[0] == expected);
            assertFalse(timer.isPending());
        }
        assertThrows(IllegalArgumentException.class, () -> timer.start(Duration.ofNanos(-1)));
    }

    @Test
    default void aRestartPostponesOrAdvancesTheExpiry() throws Exception {
        long[] fired = new long[2];
        Timer timer = timed().newTimer(() -> {
            fired[0] = System.nanoTime();
            fired[1]++;
        });
        timer.start(MOMENT);
        Duration longer = MOMENT.multipliedBy(20);
        long start = System.nanoTime();
        timer.start(longer);
        runUntil(() -> fired[1] > 0);
        assertTrue(fired[0] - start >= longer.toNanos(), "at the time of the first start");
        timer.start(A_DAY);
        timer.start(Duration.ZERO);
        runUntil(() -> fired[1] > 1);
        runForAWhile();
        assertEquals(2, fired[1]);
        assertFalse(timer.isPending());
    }

    @Test
    default void aCancelledTimerMayBeStarted() throws Exception {
        int[] count = new int[1];
        Timer timer = timed().newTimer(() -> count[0]++);
        timer.start(MOMENT);
        assertTrue(timer.cancel());
        assertFalse(timer.isPending());
        runForAWhile();
        assertEquals(0, count[0]);
        timer.start(MOMENT);
        runUntil(() -> count[0] == 1);
    }

    @Test
    default void aTimerMayBeStartedByItsTask() throws Exception {
        int[] count = new int[1];
        Timer[] timer = new Timer[1];
        timer[0] = timed().newTimer(() -> {
            assertFalse(timer[0].isPending());
            if (++count[0] < 4) {
                timer[0].start(MOMENT);
            }
        });
        timer[0].start(Duration.ZERO);
        runUntil(() -> count[0] == 4);
        runForAWhile();
        assertEquals(4, count[0]);
    }

    @Test
    default void aTimerThatWasScheduledMayBeStartedAgain() throws Exception {
        int[] count = new int[1];
        Timer timer = timed().schedule(() -> count[0]++, MOMENT);
        runUntil(() -> count[0] == 1);
        timer.start(MOMENT);
        runUntil(() -> count[0] == 2);
    }

    @Test
    default void aTimerThatIsStartedBeforeTheLoopHasTakenItDelaysNoOther() throws Exception {
        // So that this thread is the loop's.
        timed().runOnce(Duration.ZERO);
        int[] count = new int[2];
        Timer timer = OtherThread.start(() -> timed().schedule(() -> count[0]++, A_DAY)).result();
        timer.start(MOMENT.multipliedBy(50));
        timed().schedule(() -> count[1]++, MOMENT.multipliedBy(60));
        // The loop takes what the other thread has scheduled.
        timed().runOnce(Duration.ZERO);
        timer.start(A_DAY);
        runUntil(() -> count[1] == 1);
        assertEquals(0, count[0]);
    }

    @Test
    default void onlyTheLoopThreadStartsATimer() throws Exception {
        int[] count = new int[1];
        Timer timer = timed().newTimer(() -> count[0]++);
        OtherThread.run(() -> timer.start(MOMENT));
        runUntil(() -> count[0] == 1);
        if (runsOnManyThreads()) {
            OtherThread.run(() -> timer.start(MOMENT));
            runUntil(() -> count[0] == 2);
        } else {
            IllegalStateException e = assertThrows(IllegalStateException.class,
                    () -> OtherThread.run(() -> timer.start(MOMENT)));
            assertTrue(e.getMessage().startsWith("start: only the loop thread"), e::getMessage);
            assertFalse(timer.isPending());
        }
    }

    @Test
    default void otherThreadsCancelWhileTheLoopStartsAgain() throws Exception {
        AtomicInteger fired = new AtomicInteger();
        Timer timer = timed().newTimer(fired::incrementAndGet);
        AtomicInteger cancelled = new AtomicInteger();
        int rounds = 300;
        int[] started = new int[1];
        OtherThread<Void> canceller = OtherThread.start(() -> {
            while (cancelled.get() + fired.get() < rounds) {
                if (timer.cancel()) {
                    cancelled.incrementAndGet();
                }
            }
            return null;
        });
        while (started[0] < rounds) {
            timer.start(Duration.ofNanos(ThreadLocalRandom.current().nextInt(200_000)));
            started[0]++;
            runUntil(() -> {
                timed().wakeUp();
                return cancelled.get() + fired.get() == started[0];
            });
        }
        canceller.result();
        assertEquals(rounds, cancelled.get() + fired.get());
        // What was cancelled before has not taken out what was started since.
        timer.start(MOMENT);
        int before = fired.get();
        runUntil(() -> fired.get() == before + 1);
    }

    @Test
    default void aHookOfTheCloseGetsACancelledTimer() {
        Timer[] timers = new Timer[2];
        timers[0] = timed().newTimer(() -> { });
        timed().execute(() -> {
            timers[0].start(MOMENT);
            timers[1] = timed().schedule(() -> { }, MOMENT, MOMENT);
        });
        timed().close();
        assertFalse(timers[0].isPending());
        assertFalse(timers[1].isPending());
    }

    @Test
    default void aClosedLoopStartsNoTimer() {
        Timer timer = timed().newTimer(() -> { });
        timer.start(A_DAY);
        timed().close();
        assertThrows(IllegalStateException.class, () -> timer.start(MOMENT));
        assertThrows(IllegalStateException.class, () -> timed().schedule(() -> { }, MOMENT));
        timer.cancel();
    }
}
