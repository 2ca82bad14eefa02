package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A handle that is given from one handler to another, as when a protocol is upgraded. */
class RegistrationHandOverTest extends ReactorContract {

    /** Reads a few bytes in each hook, and may leave the handle to another after that. */
    private final class Reading extends OneHandleHandler {

        private final Connection connection;
        private final boolean drains;
        private final ByteBuffer room;
        private final List<Interest> ends = new ArrayList<>();
        private Reading next;

        Reading(Connection connection, int atOnce, boolean drains) {
            this.connection = connection;
            this.room = ByteBuffer.allocate(atOnce);
            this.drains = drains;
        }

        private final StringBuilder read = new StringBuilder();

        @Override
        public Handle handle() {
            return connection.near().handle();
        }

        @Override
        public boolean drains() {
            return drains;
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            int count;
            do {
                count = connection.near().receive(room.clear());
                for (int i = 0; i < count; i++) {
                    read.append((char) room.get(i));
                }
                if (next != null && count > 0) {
                    registration.handOver(next);
                    return;
                }
            } while (drains && count > 0);
        }

        @Override
        public void handleClose(Registration registration) {
            ends.add(registration.interest());
        }
    }

    /** Nothing arrives after the previous handler has left its bytes, not even on an edge-triggered set. */
    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void whatThePreviousOneHasLeftIsReportedToTheNewOne(boolean drained, boolean drains) throws Exception {
        Connection connection = own(Connection.unix());
        Reading first = new Reading(connection, 4, drained);
        Reading second = new Reading(connection, 2, drains);
        first.next = second;
        Registration registration = first.register(reactor, Interest.READ);
        connection.send("headrest and more");
        runUntil(() -> second.read.length() == 13);
        assertEquals("head", first.read.toString());
        assertEquals("rest and more", second.read.toString());
        connection.send("!");
        runUntil(() -> second.read.length() == 14);
        registration.close();
        assertEquals(List.of(), first.ends);
        assertEquals(List.of(Interest.READ), second.ends);
    }

    @Test
    void theNewOneHasTheEventsOfThePreviousOneAndMayTakeMore() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder first = reader("first", connection);
        Recorder second = reader("second", connection);
        first.register(reactor, Interest.READ);
        runUntilIdle();
        handOver(first, second);
        connection.send("x");
        runUntil(() -> second.received() == 1);
        first.registration().interest(Interest.READ_WRITE);
        runUntil(() -> second.called("output"));
        assertThrows(IllegalStateException.class, () -> first.register(reactor, Interest.READ));
        reactor.close();
        assertEquals(List.of(), first.calls());
        assertEquals(1, second.count("close"));
        assertTrue(second.called("close READ|WRITE"), () -> second.calls().toString());
    }

    private static void handOver(Recorder from, EventHandler to) {
        try {
            from.registration().handOver(to);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Readiness of both kinds comes in one event. */
    @Test
    void theRestOfAnEventIsTheNewOnes() throws Exception {
        Connection connection = own(Connection.unix());
        connection.send("x");
        Recorder first = reader("first", connection);
        Recorder second = reader("second", connection);
        first.onOutput(() -> {
            handOver(first, second);
            first.registration().interest(Interest.READ);
        });
        first.register(reactor, Interest.READ_WRITE);
        runUntil(() -> first.received() + second.received() == 1);
        runUntil(() -> first.called("output"));
        assertEquals(1, first.count("output"));
        assertEquals(0, second.count("output"));
        boolean inputCameLater = first.calls().get(0).equals("output");
        assertEquals(inputCameLater ? 1 : 0, second.received());
    }

    @Test
    void whatThrowsAfterwardsEndsTheConnectionOfTheNewOne() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder first = reader("first", connection);
        Recorder second = reader("second", connection);
        first.onInput(() -> {
            handOver(first, second);
            throw new LinkageError("thrown by the test");
        });
        first.register(reactor, Interest.READ);
        connection.send("x");
        runUntil(() -> second.called("close"));
        assertEquals(List.of("failure", "close READ"), second.calls());
        assertEquals(List.of("input"), first.calls());
    }

    @Test
    void itTakesAnOpenRegistrationAndTheRightThread() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder first = reader("first", connection);
        Registration registration = first.register(reactor, Interest.READ);
        assertThrows(NullPointerException.class, () -> registration.handOver(null));
        reactor.runOnce(Duration.ZERO);
        if (!isShared()) {
            OtherThread.run(() -> assertThrows(IllegalStateException.class, () -> registration.handOver(first)));
        }
        registration.handOver(first);
        connection.send("x");
        runUntil(() -> first.received() == 1);
        registration.close();
        assertThrows(IllegalStateException.class, () -> registration.handOver(first));
    }
}
