package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.timer.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Timers, tasks and signals of a reactor that several threads run. */
class SharedReactorTimersTest extends SharedReactorContract {

    private static final int PER_THREAD = 300;
    private static final Duration PERIOD = Duration.ofNanos(500_000);

    @Test
    void eachTimerFiresOnceAndNotTooEarlyOrIsCancelled() throws Exception {
        runBy(THREADS);
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
                    Timer timer = reactor.schedule(token -> {
                        if (System.nanoTime() - due < 0) {
                            violations.add("too early");
                        }
                        fired.incrementAndGet(which);
                        over.incrementAndGet();
                    }, "token", delay);
                    if (which % 3 == 0 && reactor.cancel(timer) != null) {
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
        reactor.close();
        for (int i = 0; i < THREADS * PER_THREAD; i++) {
            assertEquals(1, fired.get(i));
        }
    }

    @Test
    void aPeriodicTimerIsFiredByOneThreadAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        CountDownLatch often = new CountDownLatch(50);
        runBy(THREADS);
        Timer timer = reactor.schedule(token -> {
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
        assertEquals("token", reactor.cancel(timer));
    }

    @Test
    void aTimerDoesNotWaitForTheThreadThatWouldHaveKeptIt() throws Exception {
        runBy(2);
        Pipe pipe = pipe();
        CountDownLatch[] fired = new CountDownLatch[1];
        Recorder busy = reader("busy", pipe);
        busy.onInput(() -> OtherThread.await(fired[0]));
        reactor.registerHandler(busy, EventType.READ);
        for (int i = 1; i <= 20; i++) {
            int expected = i;
            // Whoever waits for the timer may be the one that gets what keeps it busy.
            fired[0] = new CountDownLatch(1);
            reactor.schedule(token -> fired[0].countDown(), null, Duration.ofMillis(3));
            send(pipe);
            OtherThread.await(() -> busy.count("input") == expected);
            OtherThread.await(fired[0]);
        }
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
                    reactor.execute(() -> {
                        if (inside.getAndIncrement() != 0) {
                            violations.add("two tasks at once");
                        }
                        if (next[giver]++ != expected) {
                            violations.add("out of order");
                        }
                        inside.decrementAndGet();
                        count.incrementAndGet();
                    });
                }
                return null;
            }));
        }
        for (OtherThread<Void> giver : givers) {
            giver.result();
        }
        OtherThread.await(() -> count.get() == THREADS * PER_THREAD);
    }

    @Test
    void eachTaskIsRunThoughNothingElseHappens() throws Exception {
        runBy(THREADS);
        for (int i = 0; i < 500; i++) {
            CountDownLatch run = new CountDownLatch(1);
            reactor.execute(run::countDown);
            OtherThread.await(run);
        }
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void signalsAreHandledWhileAHookIsBusy() throws Exception {
        runBy(2);
        CountDownLatch end = new CountDownLatch(1);
        beginHook(own(Connection.unix()), end);
        Recorder handler = new Recorder("signalled");
        reactor.registerSignalHandler(OsSignal.URG, handler);
        raise();
        OtherThread.await(() -> handler.called("signal"));
        reactor.removeSignalHandler(OsSignal.URG, handler);
        end.countDown();
    }

    private static void raise() throws Exception {
        Process kill = new ProcessBuilder("kill", "-URG", Long.toString(ProcessHandle.current().pid())).start();
        assertEquals(0, kill.waitFor());
    }
}
