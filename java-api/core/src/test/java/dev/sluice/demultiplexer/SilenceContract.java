package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.handle.NativeSocketOptions;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A member that is deactivated or has no interests is not reported and uses no CPU time until that changes. */
public abstract class SilenceContract extends DemultiplexerContract {

    protected SilenceContract(String name) {
        super(name);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void deactivatedHandleIsNotReportedUntilActivated(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.receiver(), READ);
        registration.deactivate();
        ends.send();
        assertQuietFor(A_MOMENT);
        assertEquals(READ, registration.events());
        assertEquals(0, registration.activeEvents());
        registration.activate();
        assertReported(registration, READ);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void withoutEventsIsSilentUntilThereAreSome(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.receiver(), READ);
        registration.setEvents(0);
        ends.send();
        assertQuietFor(A_MOMENT);
        assertEquals(0, registration.events());
        registration.setEvents(READ);
        assertReported(registration, READ);
    }

    @ParameterizedTest
    @MethodSource("streams")
    void deactivatedHandleIsNotReportedAtHangUp(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.receiver(), READ);
        registration.deactivate();
        ends.sender().close();
        assertQuietFor(A_MOMENT);
        registration.activate();
        awaitEvents(registration, READ);
    }

    @ParameterizedTest
    @MethodSource("streams")
    void withoutEventsIsSilentAtHangUp(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.receiver(), READ);
        registration.setEvents(0);
        ends.sender().close();
        assertQuietFor(A_MOMENT);
        registration.setEvents(READ);
        awaitEvents(registration, READ);
    }

    @ParameterizedTest
    @MethodSource("streams")
    void registeredWithoutEventsIsSilentAtHangUp(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.receiver(), 0);
        ends.sender().close();
        assertQuietFor(A_MOMENT);
        registration.setEvents(READ);
        awaitEvents(registration, READ);
    }

    @Test
    void deactivatedHandleIsNotReportedAtAReset() throws IOException {
        StreamPair pair = own(StreamPair.tcp());
        Membership registration = register(pair.near().handle(), READ | WRITE);
        registration.deactivate();
        pair.far().setOption(NativeSocketOptions.SO_LINGER, 0);
        pair.far().close();
        assertQuietFor(A_MOMENT);
        registration.activate();
        awaitEvents(registration, READ | WRITE);
    }

    @Test
    void eventsSetWhileDeactivatedCountAfterTheActivation() throws IOException {
        StreamPair pair = own(StreamPair.tcp());
        Membership registration = register(pair.near().handle(), READ);
        registration.deactivate();
        registration.setEvents(WRITE);
        assertEquals(WRITE, registration.events());
        assertEquals(0, registration.activeEvents());
        assertQuietFor(A_MOMENT);
        registration.activate();
        assertReported(registration, WRITE);
    }

    @Test
    void activatedHandleWithoutEventsIsNotReported() throws IOException {
        Membership registration = register(own(StreamPair.tcp()).near().handle(), WRITE);
        registration.deactivate();
        registration.setEvents(0);
        registration.activate();
        assertQuietFor(A_MOMENT);
    }

    @Test
    void silencingTwiceIsUndoneOnce() throws IOException {
        Membership registration = register(pipe().sink(), WRITE);
        registration.deactivate();
        registration.deactivate();
        registration.activate();
        registration.activate();
        assertReported(registration, WRITE);
    }

    @Test
    void othersAreReportedMeanwhile() throws IOException {
        OneWayTransport silent = open(Transport.PIPE);
        register(silent.receiver(), READ).deactivate();
        silent.sender().close();
        OneWayTransport loud = open(Transport.PIPE);
        Membership registration = register(loud.receiver(), READ);
        loud.send();
        assertReported(registration, READ);
    }
}
