package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.Trigger;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Trigger#ONE_SHOT}: a reported handle is not reported again until it is rearmed. */
public abstract class OneShotTriggerContract extends DemultiplexerContract {

    protected OneShotTriggerContract(String name) {
        super(name);
    }

    @Test
    void triggerIsOneShot() {
        assertEquals(Trigger.ONE_SHOT, demultiplexer.trigger());
    }

    @ParameterizedTest
    @MethodSource("transports")
    void reportedIsQuietUntilRearmed(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.receiver(), READ);
        for (int round = 0; round < 3; round++) {
            ends.send();
            assertReported(registration, READ);
            assertQuiet();
            ends.send();
            assertQuietFor(A_MOMENT);
            assertEquals(READ, registration.activeEvents());
            registration.rearm();
        }
        assertEquals(6, ends.drain());
    }

    @Test
    void rearmedIsReportedAgainWhileStillReady() throws IOException {
        Membership registration = register(pipe().sink(), WRITE);
        for (int round = 0; round < 10; round++) {
            assertReported(registration, WRITE);
            registration.rearm();
        }
    }

    @Test
    void rearmedTwiceIsReportedOnce() throws IOException {
        Membership registration = register(pipe().sink(), WRITE);
        assertReported(registration, WRITE);
        registration.rearm();
        registration.rearm();
        assertReported(registration, WRITE);
        assertQuietFor(A_MOMENT);
    }

    @Test
    void quietIsSilentAtHangUpUntilRearmed() throws IOException {
        OneWayTransport ends = open(Transport.TCP);
        Membership registration = register(ends.receiver(), READ);
        ends.send();
        assertReported(registration, READ);
        ends.sender().close();
        assertQuietFor(A_MOMENT);
        registration.rearm();
        awaitEvents(registration, READ);
    }

    @Test
    void rearmedWhileDeactivatedIsReportedOnlyWhenActivated() throws IOException {
        Membership registration = register(pipe().sink(), WRITE);
        assertReported(registration, WRITE);
        registration.deactivate();
        registration.rearm();
        assertQuietFor(A_MOMENT);
        registration.activate();
        assertReported(registration, WRITE);
    }

    /** Otherwise a handle would be reported to a second thread while the first is still processing it. */
    @Test
    void onlyRearmingRearms() throws IOException {
        Membership registration = register(own(StreamPair.tcp()).near().handle(), WRITE);
        assertReported(registration, WRITE);
        registration.deactivate();
        registration.activate();
        registration.setEvents(READ | WRITE);
        assertQuietFor(A_MOMENT);
        registration.rearm();
        assertReported(registration, WRITE);
    }

    @Test
    void rearmingAfterTheRemovalDoesNothing() throws IOException {
        Membership registration = register(pipe().sink(), WRITE);
        assertReported(registration, WRITE);
        registration.remove();
        registration.rearm();
        assertQuietFor(A_MOMENT);
    }

    /** A handle that a change has removed from a batch has not been reported, so it needs no rearming. */
    @Test
    void deactivatedBeforeItWasReportedNeedsNoRearming() throws IOException {
        Membership registration = register(pipe().sink(), WRITE);
        registration.deactivate();
        assertQuiet();
        registration.activate();
        assertReported(registration, WRITE);
    }

    @Test
    void otherHandlesAreReportedMeanwhile() throws IOException {
        Membership first = register(pipe().sink(), WRITE);
        assertReported(first, WRITE);
        Membership second = register(pipe().sink(), WRITE);
        assertReported(second, WRITE);
        assertQuiet();
    }
}
