package dev.sluice.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.testing.Depth;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cancelling concurrently with firing: the second must see the effect of the first. */
@Tag(Depth.IN_QUICK)
@Tag(Depth.REPEATED)
class TimerRaceTest {

    private static final int TIMERS = Depth.times(5_000, 20_000, 100_000);
    // The two synchronize after each chunk, so that neither gets far ahead.
    private static final int CHUNK = 50;
    private static final long CHUNK_LIMIT_SECONDS = 30;
    private static final long LIMIT_SECONDS = 600;

    private final CyclicBarrier barrier = new CyclicBarrier(2);
    private final AtomicInteger calls = new AtomicInteger();
    private final Timer[] timers = new Timer[TIMERS];

    private interface Attempt {
        boolean on(Timer timer) throws Exception;
    }

    @Test
    void eitherTheCancellationWinsOrTheExpiry() throws Exception {
        makeTimers();
        boolean[][] won = race(Timer::cancel, TimerRaceTest::fire);
        int fired = 0;
        for (int i = 0; i < TIMERS; i++) {
            assertEquals(1, (won[0][i] ? 1 : 0) + (won[1][i] ? 1 : 0), "winners of timer " + i);
            assertFalse(timers[i].isPending());
            fired += won[1][i] ? 1 : 0;
        }
        assertEquals(fired, calls.get());
    }

    @Test
    void oneOfTwoCancellationsWins() throws Exception {
        makeTimers();
        boolean[][] won = race(Timer::cancel, Timer::cancel);
        for (int i = 0; i < TIMERS; i++) {
            assertEquals(1, (won[0][i] ? 1 : 0) + (won[1][i] ? 1 : 0), "winners of timer " + i);
        }
    }

    private void makeTimers() {
        for (int i = 0; i < TIMERS; i++) {
            timers[i] = new Timer(token -> calls.incrementAndGet(), null, 0, Timer.ONCE);
        }
    }

    private static boolean fire(Timer timer) throws Exception {
        boolean claimed = timer.claim();
        if (claimed) {
            timer.fire();
        }
        return claimed;
    }

    private boolean[][] race(Attempt one, Attempt other) throws Exception {
        FutureTask<boolean[]> first = start(() -> attempts(one));
        FutureTask<boolean[]> second = start(() -> attempts(other));
        return new boolean[][] {
            first.get(LIMIT_SECONDS, TimeUnit.SECONDS), second.get(LIMIT_SECONDS, TimeUnit.SECONDS)
        };
    }

    private boolean[] attempts(Attempt attempt) throws Exception {
        boolean[] won = new boolean[TIMERS];
        for (int i = 0; i < TIMERS; i++) {
            if (i % CHUNK == 0) {
                barrier.await(CHUNK_LIMIT_SECONDS, TimeUnit.SECONDS);
            }
            won[i] = attempt.on(timers[i]);
        }
        return won;
    }

    private static FutureTask<boolean[]> start(Callable<boolean[]> work) {
        FutureTask<boolean[]> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "racer");
        thread.setDaemon(true);
        thread.start();
        return task;
    }
}
