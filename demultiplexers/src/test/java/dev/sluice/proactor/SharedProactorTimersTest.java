package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Timers and tasks of a proactor that several threads run. */
class SharedProactorTimersTest extends SharedProactorContract {

    private static final int PER_THREAD = 300;
    private static final Duration PERIOD = Duration.ofNanos(500_000);
    private static final Duration A_DAY = Duration.ofDays(1);

    @Test
    void eachTimerFiresOnceAndNotTooEarly() throws Exception {
        runBy(THREADS);
        AtomicIntegerArray fired = new AtomicIntegerArray(THREADS * PER_THREAD);
        AtomicInteger count = new AtomicInteger();
        List<OtherThread<Void>> schedulers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int first = i * PER_THREAD;
            schedulers.add(OtherThread.start(() -> {
                for (int number = first; number < first + PER_THREAD; number++) {
                    int which = number;
                    Duration delay = Duration.ofNanos(ThreadLocalRandom.current().nextInt(20_000_000));
                    long due = System.nanoTime() + delay.toNanos();
                    proactor.schedule(token -> {
                        if (System.nanoTime() - due < 0) {
                            violations.add("too early");
                        }
                        fired.incrementAndGet(which);
                        count.incrementAndGet();
                    }, null, delay);
                }
                return null;
            }));
        }
        for (OtherThread<Void> scheduler : schedulers) {
            scheduler.result();
        }
        OtherThread.await(() -> count.get() >= THREADS * PER_THREAD);
        proactor.close();
        for (int i = 0; i < THREADS * PER_THREAD; i++) {
            assertEquals(1, fired.get(i));
        }
    }

    @Test
    void cancelledTimersDoNotFireAndTheOthersDo() throws Exception {
        runBy(THREADS);
        AtomicInteger fired = new AtomicInteger();
        AtomicInteger cancelled = new AtomicInteger();
        List<OtherThread<Void>> cancellers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            cancellers.add(OtherThread.start(() -> {
                List<Timer> timers = new ArrayList<>();
                for (int number = 0; number < PER_THREAD; number++) {
                    timers.add(proactor.schedule(token -> fired.incrementAndGet(), "token",
                            Duration.ofNanos(ThreadLocalRandom.current().nextInt(3_000_000))));
                }
                for (Timer timer : timers) {
                    if (proactor.cancel(timer) != null) {
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
        proactor.close();
        assertEquals(THREADS * PER_THREAD, fired.get() + cancelled.get());
    }

    @Test
    void aPeriodicTimerIsFiredByOneThreadAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        CountDownLatch often = new CountDownLatch(50);
        runBy(THREADS);
        Timer timer = proactor.schedule(token -> {
            if (inside.getAndIncrement() != 0) {
                violations.add("fired twice at once");
            }
            // Until it is due again, which others might take for their turn.
            for (long begun = System.nanoTime(); System.nanoTime() - begun < 2 * PERIOD.toNanos();) {
                Thread.onSpinWait();
            }
            inside.decrementAndGet();
            often.countDown();
        }, "token", Duration.ZERO, PERIOD);
        OtherThread.await(often);
        assertEquals("token", proactor.cancel(timer));
    }

    @Test
    void anEarlierTimerEndsTheWaitForALaterOne() throws Exception {
        runBy(THREADS);
        proactor.schedule(recorder, "never", A_DAY);
        for (int i = 1; i <= 100; i++) {
            int expected = i;
            proactor.schedule(recorder, i, Duration.ofNanos(i * 10_000));
            OtherThread.await(() -> recorder.timeouts().size() == expected);
        }
    }

    @Test
    void aTimerDoesNotWaitForTheThreadThatWouldHaveKeptIt() throws Exception {
        runBy(2);
        for (int i = 0; i < 20; i++) {
            int round = i + 1;
            // Whoever waits for the timer may be the one that gets what keeps it busy.
            CountDownLatch fired = new CountDownLatch(1);
            proactor.schedule(token -> fired.countDown(), null, Duration.ofMillis(3));
            proactor.post(new SingleMethodCompletionAdapter(completion -> {
                OtherThread.await(fired);
                recorder.handleTimeout(round);
            }), null, 0);
            OtherThread.await(() -> recorder.timeouts().size() == round);
        }
    }

    @Test
    void aTimerThatTakesItsTimeHoldsUpNoOther() throws Exception {
        runBy(2);
        CountDownLatch later = new CountDownLatch(1);
        proactor.schedule(token -> {
            proactor.schedule(inner -> later.countDown(), null, Duration.ofMillis(1));
            OtherThread.await(later);
            recorder.handleTimeout("done");
        }, null, Duration.ofMillis(1));
        OtherThread.await(() -> recorder.timeouts().contains("done"));
    }

    @Test
    void tasksAreRunOnceAndInOrderByOneThreadAtATime() throws Exception {
        runBy(THREADS);
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
                    proactor.execute(() -> {
                        if (inside.getAndIncrement() != 0) {
                            violations.add("two tasks at once");
                        }
                        if (next[giver]++ != expected) {
                            violations.add("out of order");
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
        proactor.close();
        assertEquals(THREADS * PER_THREAD, count.get());
    }

    @Test
    void eachTaskIsRunThoughNothingElseHappens() throws Exception {
        runBy(THREADS);
        for (int i = 0; i < 500; i++) {
            CountDownLatch run = new CountDownLatch(1);
            proactor.execute(run::countDown);
            OtherThread.await(run);
        }
    }

    @Test
    void whoLeavesHandsItsTasksOn() throws Exception {
        // Whatever one thread leaves when its turn is over, the other has to see to.
        runBy(1);
        AtomicInteger count = new AtomicInteger();
        OtherThread<Void> visitor = OtherThread.start(() -> {
            while (count.get() < 2_000) {
                proactor.handleEvents(Duration.ofMillis(1));
            }
            return null;
        });
        for (int i = 0; i < 1_000; i++) {
            int before = count.get();
            // The second comes while the first is being run, so nobody is woken up for it.
            proactor.execute(() -> {
                proactor.execute(count::incrementAndGet);
                count.incrementAndGet();
            });
            OtherThread.await(() -> count.get() == before + 2);
        }
        visitor.result();
        assertTrue(proactor.demultiplexer().inFlight() == 0);
    }

    @Test
    void aTaskMayRunTheLoop() throws Exception {
        runBy(2);
        List<String> order = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        proactor.execute(() -> {
            proactor.execute(() -> order.add("inner"));
            try {
                while (order.isEmpty()) {
                    proactor.handleEvents(Duration.ofMillis(1));
                }
            } catch (IOException e) {
                violations.add(e.toString());
            }
            order.add("outer");
            done.countDown();
        });
        OtherThread.await(done);
        assertEquals(List.of("inner", "outer"), order);
    }
}
