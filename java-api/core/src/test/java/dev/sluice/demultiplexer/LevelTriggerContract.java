package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.Trigger;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** {@link Trigger#LEVEL}: every wait reports all ready handles. */
public abstract class LevelTriggerContract extends DemultiplexerContract {

    protected LevelTriggerContract(String name) {
        super(name);
    }

    @Test
    void triggerIsLevel() {
        assertEquals(Trigger.LEVEL, demultiplexer.trigger());
    }

    @Test
    void unreadBytesAreReportedByEveryWait() throws IOException {
        OneWayTransport ends = open(Transport.PIPE);
        Membership registration = register(ends.receiver(), READ);
        ends.send();
        for (int wait = 0; wait < 10; wait++) {
            assertReported(registration, READ);
        }
        ends.drain();
        assertQuiet();
    }

    @Test
    void endOfTheStreamIsReportedByEveryWait() throws IOException {
        OneWayTransport ends = open(Transport.PIPE);
        Membership registration = register(ends.receiver(), READ);
        ends.sender().close();
        for (int wait = 0; wait < 10; wait++) {
            assertReported(registration, READ);
        }
    }

    @Test
    void rearmingAReportedHandleDoesNothing() throws IOException {
        Membership registration = register(pipe().sink(), WRITE);
        assertReported(registration, WRITE);
        registration.deactivate();
        registration.rearm();
        assertQuiet();
        registration.activate();
        assertReported(registration, WRITE);
    }
}
