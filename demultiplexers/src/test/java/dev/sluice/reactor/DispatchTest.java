package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.Handle;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.UrgentByte;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class DispatchTest extends ReactorContract {

    @Test
    void dispatchesEachArrivalOfBytes() throws Exception {
        Pipe pipe = pipe();
        Recorder handler = reader("reader", pipe);
        handler.register(reactor, Interest.READ);
        for (int i = 1; i <= 10; i++) {
            int expected = i;
            send(pipe);
            runUntil(() -> handler.received() == expected);
            runUntilIdle();
        }
        assertEquals(10, handler.count("input"));
    }

    @Test
    void dispatchesTheEndOfTheStreamAfterTheLastByte() throws Exception {
        Pipe pipe = readablePipe();
        Recorder handler = reader("reader", pipe);
        handler.onInput(() -> {
            if (handler.ended()) {
                handler.registration().close();
            }
        });
        handler.register(reactor, Interest.READ);
        pipe.sink().close();
        runUntil(() -> handler.called("close"));
        assertEquals(1, handler.received());
        assertTrue(handler.ended());
    }

    @Test
    void dispatchesWriteWhenTheSocketIsWritableAgain() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("writer", connection);
        handler.onOutput(() -> handler.registration().close());
        int filled = connection.fill();
        handler.register(reactor, Interest.WRITE);
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        connection.drain(filled);
        runUntil(() -> handler.called("close"));
        assertEquals(List.of("output", "close WRITE"), handler.calls());
    }

    @Test
    void dispatchesUrgentData() throws Exception {
        Connection connection = own(Connection.tcp());
        List<Integer> urgent = new ArrayList<>();
        Recorder handler = reader("urgent", connection);
        handler.onException(() -> urgent.add(UrgentByte.receive(connection.near())));
        handler.register(reactor, Interest.EXCEPTION);
        UrgentByte.send(connection.far(), (byte) 7);
        runUntil(() -> handler.called("exception"));
        assertEquals(List.of(7), urgent);
        assertFalse(handler.called("input"));
    }

    @Test
    void dispatchesAllEventsOfAHandleOutputBeforeInput() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("both", connection);
        handler.onOutput(() -> handler.registration().interest(Interest.READ));
        connection.send("xy");
        // When the first byte has come, the second has too.
        connection.near().receiveFully(ByteBuffer.allocate(1), LIMIT);
        handler.register(reactor, Interest.READ_WRITE);
        assertEquals(2, reactor.runOnce(LIMIT));
        assertEquals(List.of("output", "input"), handler.calls());
    }

    @Test
    void dispatchesAFailedConnectionAsReadable() throws Exception {
        WineDifference.RECEIVE_AFTER_RESET_IS_THE_END.assumeAbsent();
        Connection connection = own(Connection.tcp());
        List<Throwable> thrown = new ArrayList<>();
        Recorder handler = new Recorder("reset", connection.near().handle()).drain(connection.near()::receive);
        handler.onFailure(() -> thrown.addAll(handler.failures()));
        handler.register(reactor, Interest.READ);
        connection.far().setOption(NativeSocketOptions.SO_LINGER, 0);
        connection.far().close();
        runUntil(() -> handler.called("close"));
        assertTrue(thrown.get(0).getMessage().contains("ECONNRESET"), () -> thrown.get(0).getMessage());
    }

    @Test
    void countsWhatItCalls() throws Exception {
        Recorder one = reader("one", readablePipe());
        Recorder two = reader("two", readablePipe());
        one.register(reactor, Interest.READ);
        two.register(reactor, Interest.READ);
        reactor.execute(() -> { });
        reactor.schedule(one, null, Duration.ZERO);
        int count = 0;
        while (count < 4) {
            count += reactor.runOnce(LIMIT);
        }
        assertEquals(4, count);
        assertEquals(0, reactor.runOnce(Duration.ZERO));
    }

    @Test
    void servesMoreReadyHandlesThanOneBatchHolds() throws Exception {
        assumeTakesManyHandles();
        List<Recorder> handlers = new ArrayList<>();
        // Both ends of each connection, because select takes no descriptor above 1023.
        for (int i = 0; i < 300; i++) {
            Connection connection = own(Connection.unix());
            handlers.add(recorder("near " + i, connection.near().handle()));
            handlers.add(recorder("far " + i, connection.far().handle()));
        }
        for (Recorder handler : handlers) {
            handler.onOutput(() -> handler.registration().close());
            handler.register(reactor, Interest.WRITE);
        }
        int count = 0;
        while (count < 600) {
            count += reactor.runOnce(LIMIT);
        }
        assertTrue(handlers.stream().allMatch(handler -> handler.calls().equals(List.of("output", "close WRITE"))));
    }

    @Test
    void aHookThatIsMissingComplains() throws Exception {
        assertComplaint(Interest.WRITE, "handleOutput");
        Deaf handler = new Deaf(pipe().source());
        // Not every system reports one without urgent data.
        UnsupportedOperationException missing =
                assertThrows(UnsupportedOperationException.class, () -> handler.handleException(null));
        assertTrue(missing.getMessage().contains("handleException"), missing::getMessage);
    }

    private void assertComplaint(Interest event, String hook) throws Exception {
        Connection connection = own(Connection.unix());
        connection.send("x");
        Deaf handler = new Deaf(connection.near().handle());
        handler.register(reactor, event);
        runUntil(() -> handler.failure != null && !connection.near().handle().isOpen());
        assertInstanceOf(UnsupportedOperationException.class, handler.failure);
        assertTrue(handler.failure.getMessage().contains(hook), handler.failure::getMessage);
        assertTrue(handler.failure.getMessage().contains(event.toString()), handler.failure::getMessage);
        assertTrue(handler.failure.getMessage().contains(handler.toString()), handler.failure::getMessage);
    }

    /** Overrides no hook of an event. */
    private static final class Deaf extends OneHandleHandler {

        private final Handle handle;
        private Throwable failure;

        Deaf(Handle handle) {
            this.handle = handle;
        }

        @Override
        public Handle handle() {
            return handle;
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            failure = cause;
        }
    }

    @Test
    void closingTheHandleIsWhatAHandlerDoesByDefault() throws Exception {
        Pipe pipe = pipe();
        new Deaf(pipe.source()).register(reactor, Interest.READ).close();
        assertFalse(pipe.source().isOpen());
    }
}
