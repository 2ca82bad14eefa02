package dev.sluice.demultiplexer.handleset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The disposal by the last user, and its repetition after a failure. */
class UseCountTest {

    private static final int ATTEMPTS = 400;

    private final AtomicInteger disposals = new AtomicInteger();
    private Error failure;
    private int attempts;

    private void dispose() {
        if (failure != null) {
            throw failure;
        }
        disposals.incrementAndGet();
    }

    @Test
    void lastUserDisposes() {
        UseCount users = new UseCount(this::dispose);
        assertTrue(users.enter());
        users.close();
        assertEquals(0, disposals.get());
        users.leave();
        assertEquals(1, disposals.get());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nextOpeningDisposesOfWhatTheLastUserCouldNot(boolean ofMemory) {
        UseCount users = new UseCount(this::dispose);
        assertTrue(users.enter());
        users.close();
        failure = ofMemory ? new OutOfMemoryError("thrown by the test") : new StackOverflowError("thrown by the test");
        assertSame(failure, assertThrows(Error.class, users::leave));
        failure = null;
        new UseCount(() -> { });
        assertEquals(1, disposals.get());
    }

    /** The stack gets longer by a frame from one attempt to the next, so that it ends at each call of the method. */
    @Test
    void fullStackLosesNoDisposal() {
        UseCount[] closed = new UseCount[ATTEMPTS];
        AtomicInteger[] disposalsOf = new AtomicInteger[ATTEMPTS];
        for (int i = 0; i < ATTEMPTS; i++) {
            AtomicInteger count = new AtomicInteger();
            disposalsOf[i] = count;
            closed[i] = new UseCount(count::incrementAndGet);
            assertTrue(closed[i].enter());
            closed[i].close();
        }
        leaveWithFullStack(closed);
        assertEquals(ATTEMPTS, attempts);
        for (UseCount each : closed) {
            if (each.enterWhileInUse()) {
                // There was no stack to leave, so that this thread is inside twice.
                each.leave();
                each.leave();
            }
        }
        for (int i = 0; i < ATTEMPTS; i++) {
            new UseCount(() -> { });
        }
        for (AtomicInteger count : disposalsOf) {
            assertEquals(1, count.get());
        }
    }

    /** Without further calls, since each might throw what the attempt is to throw. */
    private void leaveWithFullStack(UseCount[] closed) {
        try {
            leaveWithFullStack(closed);
        } catch (StackOverflowError e) {
            // The caller has a frame more.
        }
        if (attempts < closed.length) {
            closed[attempts++].leave();
        }
    }

    @Test
    void nextCloseDisposesOfWhatADiscardCouldNot() {
        UseCount other = new UseCount(() -> { });
        UseCount users = new UseCount(this::dispose);
        failure = new OutOfMemoryError("thrown by the test");
        assertSame(failure, assertThrows(Error.class, users::discard));
        failure = null;
        other.close();
        assertEquals(1, disposals.get());
    }
}
