package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Trigger#EDGE}: each transition to ready is reported by one wait. */
public abstract class EdgeTriggerContract extends DemultiplexerContract {

    protected EdgeTriggerContract(String name) {
        super(name);
    }

    @Test
    void triggerIsEdge() {
        assertEquals(Trigger.EDGE, demultiplexer.trigger());
    }

    @ParameterizedTest
    @MethodSource("transports")
    void unreadBytesAreReportedOnceAndAgainWhenMoreCome(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.receiver(), READ);
        for (int change = 0; change < 10; change++) {
            ends.send();
            assertReported(registration, READ);
            assertQuiet();
        }
        assertQuietFor(A_MOMENT);
        assertEquals(10, ends.drain());
    }

    @Test
    void handleReadyAtRegistrationIsReportedOnce() throws IOException {
        assertReported(register(pipe().sink(), WRITE), WRITE);
        assertQuietFor(A_MOMENT);
    }

    @Test
    void changesBetweenTwoWaitsAreOne() throws IOException {
        OneWayTransport ends = open(Transport.PIPE);
        Membership registration = register(ends.receiver(), READ);
        ends.send();
        ends.send();
        ends.send();
        assertReported(registration, READ);
        assertQuiet();
    }

    @Test
    void remainingConnectionsAreReportedWithTheNextOne() throws IOException {
        SocketAcceptor acceptor = own(SocketAcceptor.open(StreamPair.loopback()));
        Membership registration = register(acceptor.handle(), READ);
        own(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
        assertReported(registration, READ);
        assertQuietFor(A_MOMENT);
        own(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
        assertReported(registration, READ);
        own(acceptor.accept());
        own(acceptor.accept());
    }

    @Test
    void setEventsReportsWhatIsStillReady() throws IOException {
        StreamPair pair = own(StreamPair.tcp());
        Membership registration = register(pair.near().handle(), WRITE);
        assertReported(registration, WRITE);
        registration.setEvents(READ);
        registration.setEvents(WRITE);
        assertReported(registration, WRITE);
        registration.setEvents(READ | WRITE);
        assertReported(registration, WRITE);
        assertQuietFor(A_MOMENT);
    }

    @Test
    void activateReportsWhatIsStillReady() throws IOException {
        Membership registration = register(pipe().sink(), WRITE);
        for (int round = 0; round < 3; round++) {
            assertReported(registration, WRITE);
            assertQuiet();
            registration.deactivate();
            assertQuiet();
            registration.activate();
        }
        assertReported(registration, WRITE);
    }

    @Test
    void rearmReportsWhatIsStillReady() throws IOException {
        OneWayTransport ends = open(Transport.PIPE);
        Membership registration = register(ends.receiver(), READ);
        ends.send();
        for (int round = 0; round < 3; round++) {
            assertReported(registration, READ);
            assertQuiet();
            registration.rearm();
        }
        assertReported(registration, READ);
        assertEquals(1, ends.drain());
        registration.rearm();
        assertQuietFor(A_MOMENT);
        ends.send();
        assertReported(registration, READ);
    }

    @Test
    void rearmingWhatIsSilentDoesNothing() throws IOException {
        Membership registration = register(pipe().sink(), WRITE);
        assertReported(registration, WRITE);
        registration.deactivate();
        registration.rearm();
        assertQuietFor(A_MOMENT);
        registration.activate();
        assertReported(registration, WRITE);
        registration.setEvents(0);
        registration.rearm();
        assertQuietFor(A_MOMENT);
        registration.remove();
        registration.rearm();
        assertQuietFor(A_MOMENT);
    }

    @Test
    void smallBatchLosesNoChange() throws IOException {
        int count = 10;
        for (int i = 0; i < count; i++) {
            register(pipe().sink(), WRITE);
        }
        ReadyBatch three = newBatch(3);
        int reports = 0;
        int size = demultiplexer.awaitReady(three, 0);
        while (size > 0) {
            reports += size;
            size = demultiplexer.awaitReady(three, 0);
        }
        assertEquals(count, reports);
    }
}
