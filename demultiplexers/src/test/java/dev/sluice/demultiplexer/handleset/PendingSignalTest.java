package dev.sluice.demultiplexer.handleset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import org.junit.jupiter.api.Test;

class PendingSignalTest {

    private final PendingSignal signal = new PendingSignal();

    @Test
    void isGivenOnceUntilItIsTaken() {
        for (int round = 0; round < 3; round++) {
            assertTrue(signal.begin());
            signal.ended(true);
            assertFalse(signal.begin());
            signal.taken();
        }
    }

    @Test
    void isGivenAgainAfterARefusal() {
        assertTrue(signal.begin());
        signal.ended(false);
        assertTrue(signal.begin());
    }

    /** The pending signal may be refused, and then none would have been given for the other callers. */
    @Test
    void isGivenByOthersAsLongAsItMayBeRefused() throws Exception {
        assertTrue(signal.begin());
        assertTrue(OtherThread.start(signal::begin).result());
        signal.ended(true);
        assertFalse(OtherThread.start(signal::begin).result());
    }

    /** A waiter may have taken it before its giver says so; then the next one counts. */
    @Test
    void isNotLeftBehindByAGiverThatIsLate() {
        assertTrue(signal.begin());
        signal.taken();
        signal.ended(true);
        assertTrue(signal.begin());
    }
}
