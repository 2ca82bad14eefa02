package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.EventType;
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
    private final class Reading implements EventHandler {

        private final Connection connection;
        private final boolean drains;
        private final ByteBuffer room;
        private final List<String> ends = new ArrayList<>();
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
        public void handleInput(Handle handle) throws IOException {
            int count;
            do {
                count = connection.near().receive(room.clear());
                for (int i = 0; i < count; i++) {
                    read.append((char) room.get(i));
                }
                if (next != null && count > 0) {
                    reactor.handOver(handle, this, next);
                    return;
                }
            } while (drains && count > 0);
        }

        @Override
        public void handleClose(Handle handle, int events) {
            ends.add(EventType.toString(events));
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
        reactor.registerHandler(first, EventType.READ);
        connection.send("headrest and more");
        runUntil(() -> second.read.length() == 13);
        assertEquals("head", first.read.toString());
        assertEquals("rest and more", second.read.toString());
        connection.send("!");
        runUntil(() -> second.read.length() == 14);
        reactor.removeHandler(connection.near().handle());
        assertEquals(List.of(), first.ends);
        assertEquals(List.of("READ"), second.ends);
    }

    @Test
    void theNewOneHasTheEventsOfThePreviousOneAndMayTakeMore() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder first = reader("first", connection);
        Recorder second = reader("second", connection);
        reactor.registerHandler(first, EventType.READ);
        runUntilIdle();
        handOver(connection, first, second);
        connection.send("x");
        runUntil(() -> second.received() == 1);
        reactor.registerHandler(second, EventType.WRITE);
        runUntil(() -> second.called("output"));
        assertThrows(IllegalStateException.class, () -> reactor.registerHandler(first, EventType.READ));
        reactor.close();
        assertEquals(List.of(), first.calls());
        assertEquals(1, second.count("close"));
        assertTrue(second.called("close READ|WRITE"), () -> second.calls().toString());
    }

    private void handOver(Connection connection, EventHandler from, EventHandler to) {
        try {
            reactor.handOver(connection.near().handle(), from, to);
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
            handOver(connection, first, second);
            reactor.changeEvents(connection.near().handle(), EventType.READ);
        });
        reactor.registerHandler(first, EventType.READ | EventType.WRITE);
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
            handOver(connection, first, second);
            throw new LinkageError("thrown by the test");
        });
        reactor.registerHandler(first, EventType.READ);
        connection.send("x");
        runUntil(() -> second.called("close"));
        assertEquals(List.of("failure", "close READ"), second.calls());
        assertEquals(List.of("input"), first.calls());
    }

    @Test
    void itTakesTheRightHandlerAndThread() throws Exception {
        Connection connection = own(Connection.unix());
        Handle handle = connection.near().handle();
        Recorder first = reader("first", connection);
        Recorder second = reader("second", connection);
        assertThrows(IllegalStateException.class, () -> reactor.handOver(handle, first, second));
        reactor.registerHandler(first, EventType.READ);
        assertThrows(IllegalStateException.class, () -> reactor.handOver(handle, second, first));
        assertThrows(NullPointerException.class, () -> reactor.handOver(handle, first, null));
        reactor.runOnce(Duration.ZERO);
        if (!isShared()) {
            OtherThread.run(() -> assertThrows(IllegalStateException.class,
                    () -> reactor.handOver(handle, first, second)));
        }
        reactor.handOver(handle, first, first);
        connection.send("x");
        runUntil(() -> first.received() == 1);
        assertFalse(second.called("input"));
    }
}
