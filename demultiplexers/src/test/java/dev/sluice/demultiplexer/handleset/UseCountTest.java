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

    private final AtomicInteger disposals = new AtomicInteger();
    private Error failure;

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
