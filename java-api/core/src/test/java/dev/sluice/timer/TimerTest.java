package dev.sluice.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class TimerTest {

    private final List<Object> tokens = new ArrayList<>();

    private Timer timer(long period) {
        return new Timer(tokens::add, "token", 1_000, period);
    }

    /** Fires a timer, as a queue's thread does. */
    private static boolean fire(Timer timer) throws Exception {
        boolean claimed = timer.claim();
        if (claimed) {
            timer.fire();
        }
        return claimed;
    }

    @Test
    void firesOnceWithItsToken() throws Exception {
        Timer timer = timer(Timer.ONCE);
        assertTrue(timer.isPending());
        assertTrue(fire(timer));
        assertFalse(timer.isPending());
        assertFalse(fire(timer));
        assertEquals(List.of("token"), tokens);
        assertFalse(timer.cancel(), "it has fired for the last time");
    }

    @Test
    void cancelledTimerDoesNotExpire() throws Exception {
        for (long period : new long[] {Timer.ONCE, 10}) {
            Timer timer = timer(period);
            assertTrue(timer.cancel());
            assertFalse(timer.cancel());
            assertFalse(timer.isPending());
            assertFalse(fire(timer));
            assertFalse(timer.repeat(2_000));
        }
        assertEquals(List.of(), tokens);
    }

    @Test
    void aPeriodicTimerFiresUntilItIsCancelled() throws Exception {
        Timer timer = timer(10);
        for (int i = 1; i <= 5; i++) {
            assertTrue(fire(timer));
            assertTrue(timer.isPending());
            assertTrue(timer.repeat(timer.deadline()));
            assertEquals(1_000 + i * 10, timer.deadline());
        }
        assertTrue(timer.cancel());
        assertFalse(fire(timer));
        assertEquals(5, tokens.size());
    }

    @Test
    void repeatsAtTheNextMultipleAfterNow() {
        assertRepeats(1_000, 1_010);
        assertRepeats(1_009, 1_010);
        assertRepeats(1_010, 1_020);
        assertRepeats(1_011, 1_020);
        assertRepeats(9_999, 10_000);
        assertRepeats(990, 1_010);
    }

    private void assertRepeats(long now, long expected) {
        Timer timer = timer(10);
        assertTrue(timer.repeat(now));
        assertEquals(expected, timer.deadline());
    }

    @Test
    void repeatsAcrossTheEndOfTheScale() {
        Timer timer = new Timer(tokens::add, null, Long.MAX_VALUE - 4, 10);
        assertTrue(timer.repeat(Long.MIN_VALUE + 7));
        assertEquals(Long.MIN_VALUE + 15, timer.deadline());
    }

    @Test
    void doesNotRepeatWithoutAPeriod() {
        assertFalse(timer(Timer.ONCE).repeat(2_000));
    }

    @Test
    void mayBeCancelledByItsHandler() throws Exception {
        Timer[] timer = new Timer[1];
        timer[0] = new Timer(token -> assertTrue(timer[0].cancel()), null, 0, 10);
        assertTrue(fire(timer[0]));
        assertFalse(timer[0].repeat(0));
    }

    @Test
    void rethrowsExceptionsOfTheHandler() {
        IOException failure = new IOException("thrown by the test");
        Timer timer = new Timer(token -> {
            throw failure;
        }, null, 0, Timer.ONCE);
        assertSame(failure, assertThrows(IOException.class, () -> fire(timer)));
        assertFalse(timer.isPending());
    }

    @Test
    void returnsItsConstructorArguments() {
        TimeoutHandler handler = token -> { };
        Timer timer = new Timer(handler, null, -5, Timer.ONCE);
        assertSame(handler, timer.handler());
        assertNull(timer.token());
        assertEquals(-5, timer.deadline());
    }

    @Test
    void firesAgainAfterARestart() throws Exception {
        Timer timer = timer(Timer.ONCE);
        assertTrue(fire(timer));
        timer.restart(2_000);
        assertTrue(timer.isPending());
        assertEquals(2_000, timer.deadline());
        assertTrue(timer.cancel());
        assertFalse(fire(timer));
        timer.restart(3_000);
        assertTrue(fire(timer));
        assertEquals(2, tokens.size());
    }

    @Test
    void startsOnlyOnALoopAndWithoutAPeriod() {
        assertThrows(IllegalStateException.class, () -> timer(Timer.ONCE).start(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> timer(Timer.ONCE).start(Duration.ofNanos(-1)));
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> timer(10).start(Duration.ZERO));
        assertTrue(e.getMessage().contains("periodic"), e::getMessage);
    }

    @Test
    void rejectsInvalidSettings() {
        assertThrows(NullPointerException.class, () -> new Timer(null, null, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Timer(tokens::add, null, 0, -1));
    }
}
