package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a handler hears of its connection while it is paused, and when it goes on. */
class PausedHandlerTest extends ReactorContract {

    private static final Set<String> TELL_AT_ONCE = Set.of("epoll", "epoll-edge", "epoll-one-shot", "poll",
            "io_uring-poll", "afd", "afd-one-shot", "wsapoll", "wfmo");

    private Connection connection;
    private Recorder handler;

    @BeforeEach
    void register() throws IOException {
        connection = own(Connection.tcp());
        handler = reader("paused", connection);
        handler.register(reactor, Interest.READ);
    }

    private void reset() throws IOException {
        connection.far().setOption(NativeSocketOptions.SO_LINGER, 0);
        connection.far().close();
    }

    private void assertIsNotifiedOfTheReset(String... before) throws IOException {
        if (WineDifference.RECEIVE_AFTER_RESET_IS_THE_END.isPresent()) {
            runUntil(handler::ended);
            return;
        }
        runUntil(() -> handler.called("close"));
        List<String> expected = new ArrayList<>(List.of(before));
        expected.addAll(List.of("failure", "close READ"));
        assertEquals(expected, handler.calls());
        SystemCallException failure = assertInstanceOf(SystemCallException.class, handler.failures().get(0));
        assertEquals("ECONNRESET", failure.errorName());
    }

    @Test
    void aDeactivatedHandleReportsAResetWhenItIsReactivated() throws Exception {
        handler.registration().pause();
        reset();
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        handler.registration().resume();
        assertIsNotifiedOfTheReset();
    }

    @Test
    void aHandleWithoutEventsReportsAResetWhenItHasSomeAgain() throws Exception {
        handler.registration().interest(Interest.NONE);
        reset();
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        handler.registration().interest(Interest.READ);
        assertIsNotifiedOfTheReset();
    }

    @Test
    void aHandleDeactivatedByItsOwnHookReportsAReset() throws Exception {
        handler.onInput(() -> handler.registration().pause());
        connection.send("x");
        runUntil(() -> handler.called("input"));
        reset();
        runUntilIdle();
        assertEquals(List.of("input"), handler.calls());
        handler.registration().resume();
        assertIsNotifiedOfTheReset("input");
    }

    @Test
    void bytesAndTheEndThatArriveInBetweenAreThereAfterwards() throws Exception {
        handler.registration().pause();
        connection.send("bytes");
        connection.far().close();
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        handler.registration().resume();
        runUntil(handler::ended);
        assertEquals(5, handler.received());
    }

    @Test
    void aHandleThatWaitsForExceptionsOnlyReportsAResetAtOnceWhereTheSystemDoes() throws Exception {
        handler.onException(() -> handler.registration().interest(Interest.READ));
        handler.registration().interest(Interest.EXCEPTION);
        connection.send("x");
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        reset();
        if (TELL_AT_ONCE.contains(demultiplexer)) {
            runUntil(() -> handler.called("exception"));
            assertIsNotifiedOfTheReset("exception");
        } else {
            runUntilIdle();
            handler.registration().interest(Interest.READ);
            assertIsNotifiedOfTheReset();
        }
    }
}
