package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.OneHandleHandler;
import dev.sluice.reactor.Recorder;
import dev.sluice.reactor.Registration;
import dev.sluice.testing.Depth;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Timers of a handle set are dispatched by the threads that wait on it, and by no others. */
@Tag(Depth.REPEATED)
class PoolTimerTest extends PoolContract {

    private static final int THREADS = 3;
    private static final int ROUNDS = CalledSystem.times(Depth.times(20, 20, 100));
    private static final Duration SOON = Duration.ofMillis(1);
    private static final Duration LATE = Duration.ofDays(1);

    @Test
    void expiryEndsTheWaitOfAThreadOfThePool() throws Exception {
        Members members = join(1);
        Recorder handler = new Recorder("handler");
        pool.schedule(handler, "token", SOON);
        OtherThread.await(() -> handler.called("timeout"));
        assertEquals(List.of("timeout token"), handler.calls());
        assertEquals(List.copyOf(handler.threads()), members.threads());
    }

    @Test
    void earlierTimerIsNotKeptWaitingByALaterOne() throws Exception {
        join(THREADS);
        AtomicInteger fired = new AtomicInteger();
        for (int i = 1; i <= ROUNDS; i++) {
            int round = i;
            Timer late = pool.schedule(token -> fired.addAndGet(1000), i, LATE);
            pool.schedule(token -> fired.incrementAndGet(), null, Duration.ofNanos(i * 1000));
            OtherThread.await(() -> fired.get() == round);
            assertTrue(late.cancel());
        }
    }

    @Test
    void timersFireWhileHooksKeepAllThreadsButOne() throws Exception {
        Pipe[] pipes = new Pipe[THREADS - 1];
        Semaphore go = new Semaphore(0);
        AtomicInteger inside = new AtomicInteger();
        for (int i = 0; i < pipes.length; i++) {
            pipes[i] = pipe();
            register("blocker", pipes[i]).onInput(() -> {
                inside.incrementAndGet();
                go.acquire();
                inside.decrementAndGet();
            });
        }
        join(THREADS);
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch fired = new CountDownLatch(1);
            // The thread that waits for the expiry is as likely as any other to be occupied by a hook.
            pool.schedule(token -> fired.countDown(), null, Duration.ofMillis(5));
            for (Pipe pipe : pipes) {
                send(pipe);
            }
            OtherThread.await(() -> inside.get() == pipes.length);
            OtherThread.await(fired);
            go.release(pipes.length);
            OtherThread.await(() -> inside.get() == 0);
        }
    }

    @Test
    void timersFireThoughThreadsLeave() throws Exception {
        Members members = join(THREADS);
        AtomicInteger fired = new AtomicInteger();
        pool.schedule(token -> fired.incrementAndGet(), null, SOON, SOON);
        for (int i = 0; i < THREADS - 1; i++) {
            int before = fired.get();
            OtherThread.await(() -> fired.get() > before);
            assertTrue(pool.remove(members.thread(i)));
            members.awaitEnd(i);
        }
        int before = fired.get();
        OtherThread.await(() -> fired.get() > before + 2);
    }

    @Test
    void wakeUpsForThreadsThatLeaveAreNotTakenByTimers() throws Exception {
        AtomicInteger fired = new AtomicInteger();
        for (int round = 1; round <= ROUNDS; round++) {
            List<OtherThread<Void>> threads = List.of(startJoin(), startJoin());
            OtherThread.await(() -> pool.threads(ThreadRole.PROCESSING).isEmpty()
                    && pool.threads(ThreadRole.LEADER).size() + pool.threads(ThreadRole.FOLLOWER).size() == 2);
            // Both need to end a wait, and the system may take two wake-ups for one.
            pool.schedule(token -> fired.incrementAndGet(), null, Duration.ZERO);
            assertTrue(pool.remove(threads.get(round % 2).thread()));
            threads.get(round % 2).result();
            int expected = round;
            OtherThread.await(() -> fired.get() == expected);
            assertTrue(pool.remove(threads.get(1 - round % 2).thread()));
            threads.get(1 - round % 2).result();
        }
    }

    private OtherThread<Void> startJoin() {
        return OtherThread.start(() -> {
            pool.join();
            return null;
        });
    }

    @Test
    void periodicTimerIsNeverDispatchedTwiceAtOnceAndGoesOnAfterFailures() throws Exception {
        join(THREADS);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Recorder handler = new Recorder("periodic").onTimeout(() -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            Thread.yield();
            inside.decrementAndGet();
            throw new IOException("on purpose");
        });
        Object token = new Object();
        Timer periodic = pool.schedule(handler, token, Duration.ZERO, Duration.ofNanos(1));
        OtherThread.await(() -> handler.failures().size() >= ROUNDS);
        assertTrue(periodic.cancel());
        assertFalse(periodic.cancel());
        OtherThread.await(() -> pool.threads(ThreadRole.PROCESSING).isEmpty());
        assertEquals(handler.count("timeout"), handler.count("failure"));
        assertEquals(1, most.get());
    }

    @Test
    void neitherTimersNorHandlesKeepTheOthersWaiting() throws Exception {
        Pipe full = pipe();
        send(full);
        AtomicInteger iterations = new AtomicInteger();
        OneHandleHandler greedy = new OneHandleHandler() {
            @Override
            public Handle handle() {
                return full.source();
            }

            @Override
            public void handleInput(Registration registration) {
                iterations.incrementAndGet();
            }
        };
        AtomicInteger fired = new AtomicInteger();
        greedy.note(pool.handleSet().register(greedy.handle(), Interest.READ, greedy, Promotion.BY_HANDLER));
        Timer always = pool.schedule(token -> fired.incrementAndGet(), null, Duration.ZERO, Duration.ofNanos(1));
        join(1);
        for (int i = 0; i < ROUNDS; i++) {
            int turnsBefore = iterations.get();
            int firedBefore = fired.get();
            OtherThread.await(() -> iterations.get() > turnsBefore && fired.get() > firedBefore);
        }
        always.cancel();
        greedy.registration().close();
    }

    @Test
    void joinThatOnlyLooksFindsATimerThatIsDue() throws Exception {
        AtomicInteger fired = new AtomicInteger();
        for (int i = 1; i <= 3; i++) {
            pool.schedule(token -> fired.incrementAndGet(), null, Duration.ZERO);
            assertTrue(pool.join(Duration.ZERO));
            assertEquals(i, fired.get());
        }
    }

    @Test
    void hookThatJoinsServesTimersMeanwhile() throws Exception {
        Pipe pipe = pipe();
        Recorder handler = new Recorder("timer");
        Recorder reader = register("reader", pipe).onInput(() -> {
            pool.schedule(handler, null, SOON);
            while (!handler.called("timeout")) {
                pool.join(Duration.ofMillis(10));
            }
        });
        Members members = join(1);
        send(pipe);
        OtherThread.await(() -> handler.called("timeout") && pool.threads(ThreadRole.PROCESSING).isEmpty());
        assertEquals(reader.threads(), handler.threads());
        assertEquals(List.copyOf(handler.threads()), members.threads());
    }

    @Test
    void threadsThatHaveNothingToDoWait() throws Exception {
        CountedWaits waits = new CountedWaits(OpenedDemultiplexers.openSynchronous(handleSet.demultiplexer()));
        pool = ownPool(new LeaderFollowersPool(new HandleSetSource(waits, handleSet.kind()), PromotionOrder.LIFO));
        join(THREADS);
        pool.schedule(token -> { }, null, LATE);
        AtomicInteger fired = new AtomicInteger();
        pool.schedule(token -> fired.incrementAndGet(), null, Duration.ofMillis(200));
        OtherThread.await(() -> fired.get() == 1);
        OtherThread.await(() -> pool.threads(ThreadRole.PROCESSING).isEmpty());
        assertTrue(waits.waits() < 10 * THREADS, () -> waits.waits() + " waits");
    }

    @Test
    void closedPoolTakesNoTimersAndFiresNone() throws Exception {
        Members members = join(1);
        AtomicInteger fired = new AtomicInteger();
        pool.schedule(token -> fired.incrementAndGet(), null, LATE);
        close(pool);
        members.awaitEnd(0);
        assertThrows(IllegalStateException.class, () -> pool.schedule(token -> { }, null, SOON));
        assertEquals(0, fired.get());
    }

    @Test
    void impossibleTimesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> pool.schedule(token -> { }, null, Duration.ofNanos(-1)));
        assertThrows(IllegalArgumentException.class, () -> pool.schedule(token -> { }, null, SOON, Duration.ZERO));
    }
}
