package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.timer.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Timers and tasks of a loop that several threads run. */
public interface SharedLoopContract {

    int THREADS = 4;
    int PER_THREAD = 300;
    Duration PERIOD = Duration.ofNanos(500_000);
    Duration A_DAY = Duration.ofDays(1);

    /** {@return the loop under test} */
    EventLoop shared();

    /** Starts the given number of threads, and returns when all of them run the loop. */
    void start(int threads) throws IOException;

    /** {@return what must not happen and has: a test adds to it, and then fails} */
    Set<String> violations();

    @Test
    default void eachTimerFiresOnceAndNotTooEarlyOrIsCancelled() throws Exception {
        start(THREADS);
        AtomicIntegerArray fired = new AtomicIntegerArray(THREADS * PER_THREAD);
        AtomicInteger over = new AtomicInteger();
        List<OtherThread<Void>> schedulers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int first = i * PER_THREAD;
            schedulers.add(OtherThread.start(() -> {
                for (int number = first; number < first + PER_THREAD; number++) {
                    int which = number;
                    Duration delay = Duration.ofNanos(ThreadLocalRandom.current().nextInt(20_000_000));
                    long due = System.nanoTime() + delay.toNanos();
                    Timer timer = shared().schedule(token -> {
                        if (System.nanoTime() - due < 0) {
                            violations().add("too early");
                        }
                        fired.incrementAndGet(which);
                        over.incrementAndGet();
                    }, "token", delay);
                    if (which % 3 == 0 && timer.cancel()) {
                        fired.incrementAndGet(which);
                        over.incrementAndGet();
                    }
                }
                return null;
            }));
        }
        for (OtherThread<Void> scheduler : schedulers) {
            scheduler.result();
        }
        OtherThread.await(() -> over.get() >= THREADS * PER_THREAD);
        shared().close();
        for (int i = 0; i < THREADS * PER_THREAD; i++) {
            assertEquals(1, fired.get(i));
        }
    }

    @Test
    default void cancelledTimersDoNotFireAndTheOthersDo() throws Exception {
        start(THREADS);
        AtomicInteger fired = new AtomicInteger();
        AtomicInteger cancelled = new AtomicInteger();
        List<OtherThread<Void>> cancellers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            cancellers.add(OtherThread.start(() -> {
                List<Timer> timers = new ArrayList<>();
                for (int number = 0; number < PER_THREAD; number++) {
                    timers.add(shared().schedule(token -> fired.incrementAndGet(), "token",
                            Duration.ofNanos(ThreadLocalRandom.current().nextInt(3_000_000))));
                }
                for (Timer timer : timers) {
                    if (timer.cancel()) {
                        cancelled.incrementAndGet();
                    }
                }
                return null;
            }));
        }
        for (OtherThread<Void> canceller : cancellers) {
            canceller.result();
        }
        OtherThread.await(() -> fired.get() + cancelled.get() == THREADS * PER_THREAD);
        shared().close();
        assertEquals(THREADS * PER_THREAD, fired.get() + cancelled.get());
    }

    @Test
    default void aPeriodicTimerIsFiredByOneThreadAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        CountDownLatch often = new CountDownLatch(50);
        start(THREADS);
        Timer timer = shared().schedule(token -> {
            if (inside.getAndIncrement() != 0) {
                violations().add("fired twice at once");
            }
            // Until it is due again, which others might take for their turn.
            for (long begun = System.nanoTime(); System.nanoTime() - begun < 2 * PERIOD.toNanos();) {
                Thread.onSpinWait();
            }
            inside.decrementAndGet();
            often.countDown();
        }, "token", Duration.ZERO, PERIOD);
        OtherThread.await(often);
        assertTrue(timer.cancel());
    }

    @Test
    default void anEarlierTimerEndsTheWaitForALaterOne() throws Exception {
        start(THREADS);
        shared().schedule(token -> violations().add("a timer of tomorrow has fired"), null, A_DAY);
        AtomicInteger fired = new AtomicInteger();
        for (int i = 1; i <= 100; i++) {
            int expected = i;
            shared().schedule(token -> fired.incrementAndGet(), null, Duration.ofNanos(i * 10_000));
            OtherThread.await(() -> fired.get() == expected);
        }
    }

    @Test
    default void aTimerThatTakesItsTimeHoldsUpNoOther() throws Exception {
        start(2);
        CountDownLatch later = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        shared().schedule(token -> {
            shared().schedule(inner -> later.countDown(), null, Duration.ofMillis(1));
            OtherThread.await(later);
            done.countDown();
        }, null, Duration.ofMillis(1));
        OtherThread.await(done);
    }

    @Test
    default void tasksAreRunOnceAndInOrderByOneThreadAtATime() throws Exception {
        start(THREADS);
        AtomicInteger inside = new AtomicInteger();
        // Written without a lock: each task sees what those before have written.
        int[] next = new int[THREADS];
        AtomicInteger count = new AtomicInteger();
        List<OtherThread<Void>> givers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int giver = i;
            givers.add(OtherThread.start(() -> {
                for (int number = 0; number < PER_THREAD; number++) {
                    int expected = number;
                    shared().execute(() -> {
                        if (inside.getAndIncrement() != 0) {
                            violations().add("two tasks at once");
                        }
                        if (next[giver]++ != expected) {
                            violations().add("out of order");
                        }
                        inside.decrementAndGet();
                        count.incrementAndGet();
                    });
                    if (number % 16 == 0) {
                        // So that the threads have begun to wait again.
                        OtherThread.await(() -> inside.get() == 0);
                    }
                }
                return null;
            }));
        }
        for (OtherThread<Void> giver : givers) {
            giver.result();
        }
        OtherThread.await(() -> count.get() == THREADS * PER_THREAD);
        shared().close();
        assertEquals(THREADS * PER_THREAD, count.get());
    }

    @Test
    default void eachTaskIsRunThoughNothingElseHappens() throws Exception {
        start(THREADS);
        for (int i = 0; i < 500; i++) {
            CountDownLatch run = new CountDownLatch(1);
            shared().execute(run::countDown);
            OtherThread.await(run);
        }
    }

    @Test
    default void aThreadThatLeavesHandsItsTasksOn() throws Exception {
        // Whatever one thread leaves when its turn is over, the other has to see to.
        start(1);
        AtomicInteger count = new AtomicInteger();
        OtherThread<Void> visitor = OtherThread.start(() -> {
            while (count.get() < 2_000) {
                shared().runOnce(Duration.ofMillis(1));
            }
            return null;
        });
        for (int i = 0; i < 1_000; i++) {
            int before = count.get();
            // The second comes while the first is being run, so no thread is woken up for it.
            shared().execute(() -> {
                shared().execute(count::incrementAndGet);
                count.incrementAndGet();
            });
            OtherThread.await(() -> count.get() == before + 2);
        }
        visitor.result();
    }

    @Test
    default void aTaskMayRunTheLoop() throws Exception {
        start(2);
        List<String> order = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        shared().execute(() -> {
            shared().execute(() -> order.add("inner"));
            try {
                while (order.isEmpty()) {
                    shared().runOnce(Duration.ofMillis(1));
                }
            } catch (IOException e) {
                violations().add(e.toString());
            }
            order.add("outer");
            done.countDown();
        });
        OtherThread.await(done);
        assertEquals(List.of("inner", "outer"), order);
    }
}
