package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Opening a demultiplexer when the system refuses what it needs. */
public abstract class OpenContract extends DemultiplexerContract {

    protected OpenContract(String name) {
        super(name);
    }

    /** Lets the first call fail, then the second, and so on; the check for leaks after the test is what counts. */
    @Test
    void openingThatFailsGivesBackWhatItTook() throws IOException {
        int failing = 1;
        while (failsToOpen(new FailingCalls(Bindings.current(), failing))) {
            failing++;
        }
        assertTrue(failing > 1, "opening it makes no call");
    }

    private boolean failsToOpen(FailingCalls calls) throws IOException {
        try (SynchronousEventDemultiplexer opened = openDemultiplexer(calls.binding())) {
            assertFalse(calls.stop(), () -> opened.name() + " was opened although a call failed");
            return false;
        } catch (IOException e) {
            assertTrue(e.getMessage().contains("EMFILE"), e.getMessage());
            return true;
        }
    }

    @Test
    void unknownNameIsRefusedWithTheRightOnes() {
        String message = assertThrows(IllegalArgumentException.class,
                () -> Demultiplexers.openSynchronous("no-such")).getMessage();
        assertTrue(message.contains("'no-such'") && message.contains(name()), message);
    }
}
