package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Completions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timeouts, of operations and of waits, and posted results. */
abstract class TimerContract extends OperationContract {

    private static final long AN_HOUR = 3_600_000_000_000L;
    private static final int MANY = 1_000;

    TimerContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 999, 1_000_000, 1_000_001, 30_000_000})
    void timeoutIsNotOverBeforeItsTime(long nanos) throws IOException {
        long start = System.nanoTime();
        Flight timeout = start(o -> o.timeout(nanos));
        assertResult(0, timeout);
        long elapsed = System.nanoTime() - start;
        assertTrue(elapsed >= nanos, () -> elapsed + " of " + nanos + " ns");
    }

    @Test
    void timeoutOfZeroIsOverAtOnce() throws IOException {
        Flight timeout = start(o -> o.timeout(0));
        collectUntil("the end of no time", timeout::isDone);
        assertResult(0, timeout);
    }

    @ParameterizedTest
    @ValueSource(longs = {AN_HOUR, Long.MAX_VALUE})
    void longTimeoutIsCancelled(long nanos) throws IOException {
        Flight timeout = start(o -> o.timeout(nanos));
        assertNoCompletion();
        timeout.operation().cancel();
        assertCancelled(timeout);
    }

    @Test
    void shortTimeoutDoesNotWaitForALongOne() throws IOException {
        Flight first = start(o -> o.timeout(AN_HOUR));
        assertNoCompletion();
        Flight second = start(o -> o.timeout(A_MOMENT));
        Flight third = start(o -> o.timeout(AN_HOUR));
        assertResult(0, second);
        assertEquals(0, first.lasts() + third.lasts());
    }

    /** The distance between an overdue and an infinite deadline overflows 64 bits. */
    @Test
    void overdueTimeoutDoesNotWaitForAnEndlessOne() throws Exception {
        Flight overdue = start(o -> o.timeout(1));
        collect(0);
        Flight endless = start(o -> o.timeout(Long.MAX_VALUE));
        assertResult(0, overdue);
        assertEquals(0, endless.lasts());
    }

    @Test
    void timeoutStartedByAnotherThreadEndsAWaitWithoutEnd() throws Exception {
        Flight timeout = flight();
        var starter = inBackground(() -> timeout.start(o -> o.timeout(A_MOMENT)));
        collectUntil("the timeout", () -> timeout.lasts() == 1);
        finish(starter);
    }

    @Test
    void manyAreOverOrCancelled() throws IOException {
        List<Flight> timeouts = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            long nanos = i % 2 == 0 ? i * 20_000L : AN_HOUR + i;
            timeouts.add(start(o -> o.timeout(nanos)));
        }
        collect(0);
        for (int i = 1; i < MANY; i += 2) {
            timeouts.get(i).operation().cancel();
        }
        collectAll(timeouts);
        for (int i = 0; i < MANY; i++) {
            assertEquals(i % 2 == 0, timeouts.get(i).result() == 0, "timeout " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000, 1_000_001, 50_000_000})
    void waitTakesItsTimeAsleep(long nanos) throws IOException {
        start(o -> o.timeout(AN_HOUR));
        collect(0);
        if (nanos < A_MOMENT) {
            waitInSilence(nanos);
        } else {
            ThreadTime.assertSleeps(nanos, this::waitInSilence);
        }
    }

    private long waitInSilence(long nanos) throws IOException {
        long cpuBefore = ThreadTime.ofCurrentThread();
        long start = System.nanoTime();
        assertEquals(0, collect(nanos));
        long elapsed = System.nanoTime() - start;
        assertTrue(elapsed >= nanos, () -> elapsed + " of " + nanos + " ns");
        return ThreadTime.ofCurrentThread() - cpuBefore;
    }

    @Test
    void zeroTimeoutPolls() throws IOException {
        assertEquals(0, collect(0));
        assertEquals(0, completions.size());
        Flight post = start(o -> o.post(1));
        assertEquals(1, collect(0));
        assertResult(1, post);
    }

    @Test
    void hugeWaitEndsWithACompletion() throws IOException {
        Flight timeout = start(o -> o.timeout(A_MOMENT));
        assertEquals(1, collect(Long.MAX_VALUE));
        assertResult(0, timeout);
    }

    @Test
    void postReturnsItsResult() throws IOException {
        for (long result : new long[] {0, 1, Integer.MAX_VALUE, Long.MAX_VALUE}) {
            assertResult(result, start(o -> o.post(result)));
        }
    }

    @Test
    void manyPostsComeThroughASmallBatch() throws IOException {
        Completions small = newBatch(3);
        List<Flight> posts = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            posts.add(start(o -> o.post(number)));
        }
        int collected = 0;
        while (collected < MANY) {
            int count = collect(small, PATIENCE.toNanos());
            assertTrue(count > 0 && count <= 3, "completions in a batch: " + count);
            collected += count;
        }
        for (int i = 0; i < MANY; i++) {
            assertResult(i, posts.get(i));
        }
    }

    @Test
    void negativeOnesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> start(o -> o.timeout(-1)));
        assertThrows(IllegalArgumentException.class, () -> start(o -> o.post(-1)));
        assertThrows(IllegalArgumentException.class, () -> demultiplexer.newCompletions(0));
    }
}
