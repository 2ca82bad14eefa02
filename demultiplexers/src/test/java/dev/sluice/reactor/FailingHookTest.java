package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.Throw;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.UrgentByte;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hooks that throw: {@code handleFailure}, then {@code handleClose}; other handlers are not affected. */
class FailingHookTest extends ReactorContract {

    private final IOException failure = new IOException("thrown by the test");
    private final RuntimeException uncheckedFailure = new IllegalArgumentException("also thrown by the test");

    {
        // It is logged; its stack trace says nothing.
        uncheckedFailure.setStackTrace(new StackTraceElement[0]);
    }

    private void fail() throws IOException {
        throw failure;
    }

    private void failUnchecked() {
        throw uncheckedFailure;
    }

    /** A handler next to the failing one that has to be served as before. */
    private Recorder witness(Pipe pipe) throws IOException {
        Recorder witness = reader("witness", pipe);
        witness.register(reactor, Interest.READ);
        return witness;
    }

    private void assertServed(Recorder witness, Pipe pipe) throws IOException {
        int before = witness.received();
        send(pipe);
        runUntil(() -> witness.received() > before);
        assertFalse(witness.called("failure") || witness.called("close"));
    }

    @Test
    void inputThrows() throws Exception {
        Pipe pipe = readablePipe();
        Recorder witness = witness(pipe);
        Pipe failing = readablePipe();
        Recorder handler = reader("failing", failing).onInput(this::fail);
        handler.register(reactor, Interest.READ);
        runUntil(() -> handler.called("close") && witness.called("input"));
        assertEquals(List.of("input", "failure", "close READ"), handler.calls());
        assertEquals(List.of(failure), handler.failures());
        assertEquals(3, handler.handles().stream().filter(failing.source()::equals).count());
        send(failing);
        assertServed(witness, pipe);
        assertEquals(1, handler.count("input"));
    }

    @Test
    void outputThrowsAndInputIsNotCalledAnyMore() throws Exception {
        Pipe pipe = pipe();
        Recorder witness = witness(pipe);
        Connection connection = own(Connection.unix());
        connection.send("x");
        Recorder handler = reader("failing", connection).onOutput(this::failUnchecked);
        handler.register(reactor, Interest.READ_WRITE);
        runUntil(() -> handler.called("close"));
        assertEquals(List.of("output", "failure", "close READ|WRITE"), handler.calls());
        assertEquals(List.of(uncheckedFailure), handler.failures());
        assertServed(witness, pipe);
    }

    @Test
    void exceptionHookThrows() throws Exception {
        Connection connection = own(Connection.tcp());
        Recorder handler = reader("failing", connection).onException(this::fail);
        handler.register(reactor, Interest.EXCEPTION);
        UrgentByte.send(connection.far(), (byte) 1);
        runUntil(() -> handler.called("close"));
        assertEquals(List.of("exception", "failure", "close EXCEPTION"), handler.calls());
    }

    @Test
    void closeHookThrows() throws Exception {
        Pipe pipe = pipe();
        Recorder witness = witness(pipe);
        Recorder handler = reader("failing", readablePipe()).onClose(this::fail);
        handler.onInput(() -> handler.registration().close());
        handler.register(reactor, Interest.READ);
        runUntil(() -> handler.called("failure"));
        assertEquals(List.of("input", "close READ", "failure"), handler.calls());
        assertEquals(List.of(failure), handler.failures());
        assertServed(witness, pipe);
    }

    @Test
    void closeHooksThrowWhenTheReactorIsClosed() throws Exception {
        Recorder[] handlers = new Recorder[5];
        for (int i = 0; i < handlers.length; i++) {
            handlers[i] = reader("failing " + i, pipe()).onClose(this::failUnchecked);
            handlers[i].register(reactor, Interest.READ);
        }
        reactor.close();
        for (Recorder handler : handlers) {
            assertEquals(List.of("close READ", "failure"), handler.calls());
        }
    }

    @Test
    void timeoutThrows() throws Exception {
        Pipe pipe = pipe();
        Recorder witness = witness(pipe);
        Recorder handler = new Recorder("failing").onTimeout(this::fail);
        Recorder other = new Recorder("other");
        reactor.schedule(handler, 1, Duration.ZERO);
        reactor.schedule(other, 2, Duration.ZERO);
        runUntil(() -> handler.called("failure") && other.called("timeout"));
        assertEquals(List.of("timeout 1", "failure"), handler.calls());
        assertEquals(List.of(), handler.handles(), "a timer has no handle");
        assertServed(witness, pipe);
    }

    @Test
    void aTimerWhoseHandlerThrowsCounts() throws Exception {
        reactor.schedule(new Recorder("failing").onTimeout(this::fail), 1, Duration.ZERO);
        assertEquals(1, reactor.runOnce(LIMIT));
    }

    @Test
    void aPeriodicTimerWhoseHandlerThrowsContinues() throws Exception {
        Recorder handler = new Recorder("failing").onTimeout(this::fail);
        var timer = reactor.schedule(handler, 1, Duration.ZERO, Duration.ofMillis(1));
        runUntil(() -> handler.count("failure") == 3);
        assertTrue(timer.cancel());
    }

    @Test
    void tasksThrow() throws Exception {
        Pipe pipe = pipe();
        Recorder witness = witness(pipe);
        boolean[] ran = new boolean[1];
        reactor.execute(this::failUnchecked);
        reactor.execute(() -> ran[0] = true);
        runUntil(() -> ran[0]);
        assertServed(witness, pipe);
    }

    /** By default a failure is logged, and the close hook closes the handle. */
    @Test
    void handlerWithoutFailureHookLosesItsHandleAlone() throws Exception {
        Pipe pipe = readablePipe();
        Recorder witness = witness(pipe);
        Handle handle = readablePipe().source();
        reactor.register(handle, Interest.READ, registration -> failUnchecked());
        runUntil(() -> !handle.isOpen());
        assertServed(witness, pipe);
    }

    @Test
    void theFailureHookMayRemoveAndCloseTheHandle() throws Exception {
        Recorder handler = reader("failing", readablePipe()).onInput(this::fail);
        handler.onFailure(() -> {
            handler.registration().close();
            handler.handle().close();
        });
        handler.register(reactor, Interest.READ);
        runUntil(() -> handler.called("close"));
        runUntilIdle();
        assertEquals(List.of("input", "failure", "close READ"), handler.calls());
    }

    @ParameterizedTest
    @EnumSource
    void whateverIsThrownEndsItsHandlerAlone(Throw what) throws Exception {
        Recorder failing = reader("failing", readablePipe()).onInput(what::run);
        Recorder other = reader("other", readablePipe());
        failing.register(reactor, Interest.READ);
        other.register(reactor, Interest.READ);
        reactor.execute(what::run);
        reactor.schedule(token -> what.run(), null, Duration.ZERO);
        Recorder timed = reader("timed", pipe()).onTimeout(what::run);
        reactor.schedule(timed, "timer", Duration.ZERO);
        Recorder closing = reader("closing", pipe()).onClose(what::run);
        closing.register(reactor, Interest.READ);
        closing.registration().close();
        boolean[] ran = new boolean[1];
        reactor.execute(() -> ran[0] = true);
        runUntil(() -> failing.called("close READ") && other.called("input") && ran[0] && timed.called("failure")
                && closing.called("failure"));
        assertEquals(List.of("input", "failure", "close READ"), failing.calls());
        assertSame(what.thrown().getClass(), failing.failures().get(0).getClass());
        assertSame(what.thrown().getClass(), timed.failures().get(0).getClass());
        assertSame(what.thrown().getClass(), closing.failures().get(0).getClass());
    }

    @ParameterizedTest
    @EnumSource
    void aHookForFailuresThatFailsEndsItsHandlerAlone(Throw what) throws Exception {
        Recorder failing = reader("failing", readablePipe()).onInput(what::run).onFailure(what::run);
        Recorder other = reader("other", readablePipe());
        failing.register(reactor, Interest.READ);
        other.register(reactor, Interest.READ);
        runUntil(() -> failing.called("close READ") && other.called("input"));
        assertEquals(List.of("input", "failure", "close READ"), failing.calls());
    }
}
