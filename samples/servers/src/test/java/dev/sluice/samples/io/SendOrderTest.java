package dev.sluice.samples.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** The order of long messages, on a loop whose iterations are those of the test. */
class SendOrderTest {

    private static final long MIB = 1 << 20;
    private static final long MICRO = 1_000;

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<String> begun = new ArrayList<>();
    private long now;
    private final SendOrder order = new SendOrder(tasks::add, () -> now);

    private SendTurn turn(String name) {
        SendTurn[] turn = new SendTurn[1];
        turn[0] = new SendTurn(() -> {
            assertTrue(turn[0].isMine());
            begun.add(name);
        });
        return turn[0];
    }

    private void waits(String name, long left) {
        assertFalse(order.mayBegin(turn(name), left));
    }

    private void iterate() {
        for (int i = tasks.size(); i > 0; i--) {
            tasks.remove().run();
        }
        now += MICRO;
    }

    @Test
    void shortMessagesDoNotWait() {
        waits("long", MIB);

        assertTrue(order.mayBegin(turn("short"), SendOrder.SHORT));
    }

    @Test
    void shortestRestBeginsFirst() {
        waits("longest", 4 * MIB);
        waits("shortest", MIB);
        waits("middle", 2 * MIB);
        iterate();
        iterate();

        assertEquals(List.of("shortest", "middle", "longest"), begun);
    }

    @Test
    void someBeginInEachIteration() {
        for (int i = 0; i < 2 * SendOrder.STEPS + 1; i++) {
            waits("message", MIB);
        }
        iterate();
        assertEquals(SendOrder.STEPS, begun.size());
        iterate();
        assertEquals(2 * SendOrder.STEPS, begun.size());
        iterate();
        assertEquals(2 * SendOrder.STEPS + 1, begun.size());
        assertEquals(0, tasks.size());
    }

    /** None is served to its end while others that began later wait. */
    @Test
    void longestMessagesTakeTurns() {
        for (int i = 0; i <= SendOrder.STEPS; i++) {
            waits("message " + i, SendOrder.MAX_RANKED + MIB);
        }
        iterate();
        // Their next steps.
        for (String message : List.copyOf(begun)) {
            waits(message, SendOrder.MAX_RANKED + 1);
        }
        iterate();

        assertEquals(SendOrder.STEPS + 1, begun.stream().distinct().count(), begun::toString);
    }

    /** However many shorter ones come: their ranks grow with the time. */
    @Test
    void waitingMessageIsNotOvertakenForever() {
        waits("longest", Long.MAX_VALUE);
        long longest = SendOrder.MAX_RANKED / SendOrder.OCTETS_PER_MILLI * 1_000 * MICRO;
        int overtakers = 0;
        while (!begun.contains("longest")) {
            assertTrue(now <= longest, "it starves");
            overtakers += begun.size();
            begun.clear();
            for (int i = 0; i < SendOrder.STEPS; i++) {
                waits("short", SendOrder.SHORT + 1);
            }
            iterate();
        }

        assertTrue(overtakers > SendOrder.STEPS, "nothing has overtaken it");
    }

    @Test
    void failedStepDelaysNoOther() {
        assertFalse(order.mayBegin(new SendTurn(() -> {
            throw new IllegalStateException("thrown by the test");
        }), MIB));
        waits("other", 2 * MIB);

        assertThrows(IllegalStateException.class, this::iterate);
        iterate();
        assertEquals(List.of("other"), begun);
    }

    @Test
    void closedLoopTakesNoTurn() {
        SendOrder closed = new SendOrder(task -> {
            throw new RejectedExecutionException("closed by the test");
        });
        SendTurn turn = turn("message");

        assertThrows(RejectedExecutionException.class, () -> closed.mayBegin(turn, MIB));
        assertFalse(turn.isMine());
    }
}
