package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class RegistrationTest extends ReactorContract {

    @Test
    void registersAHandlerForItsOwnHandle() throws Exception {
        Pipe pipe = readablePipe();
        Recorder handler = reader("own", pipe);
        reactor.registerHandler(handler, EventType.READ);
        runUntil(() -> handler.called("input"));
        assertEquals(List.of(pipe.source()), handler.handles());
        reactor.removeHandler(handler);
        assertEquals(List.of("input", "close READ"), handler.calls());
    }

    @Test
    void oneHandlerServesSeveralHandles() throws Exception {
        Pipe[] pipes = {readablePipe(), readablePipe(), readablePipe()};
        Recorder handler = recorder("several", pipes[0].source());
        for (Pipe pipe : pipes) {
            reactor.registerHandler(pipe.source(), handler, EventType.READ);
        }
        handler.onInput(() -> {
            Handle last = handler.handles().get(handler.handles().size() - 1);
            reactor.removeHandler(last);
        });
        runUntil(() -> handler.count("close") == 3);
        assertEquals(3, handler.count("input"));
        for (Pipe pipe : pipes) {
            assertEquals(2, handler.handles().stream().filter(pipe.source()::equals).count());
        }
    }

    @Test
    void removesByHandleWithoutTouchingTheHandlersOtherHandles() throws Exception {
        Pipe one = readablePipe();
        Pipe two = readablePipe();
        Recorder handler = reader("both", one);
        reactor.registerHandler(one.source(), handler, EventType.READ);
        reactor.registerHandler(two.source(), handler, EventType.READ);
        reactor.removeHandler(two.source());
        runUntil(() -> handler.called("input"));
        assertEquals(List.of(two.source(), one.source()), handler.handles());
    }

    @Test
    void addsEventsToARegistration() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("adding", connection)
                .onOutput(() -> reactor.changeEvents(connection.near().handle(), EventType.READ));
        reactor.registerHandler(handler, EventType.READ);
        runUntilIdle();
        reactor.registerHandler(handler, EventType.WRITE);
        runUntil(() -> handler.called("output"));
        connection.send("x");
        runUntil(() -> handler.called("input"));
        reactor.removeHandler(handler);
        assertEquals(List.of("output", "input", "close READ"), handler.calls());
    }

    @Test
    void waitsForLessWithoutEnding() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("less", connection);
        reactor.registerHandler(handler, EventType.READ | EventType.WRITE);
        reactor.changeEvents(handler.handle(), EventType.READ);
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        connection.send("x");
        runUntil(() -> handler.called("input"));
        reactor.changeEvents(handler.handle(), 0);
        runUntilIdle();
        reactor.removeHandler(handler);
        assertEquals(List.of("input", "close NONE"), handler.calls());
    }

    @Test
    void endsWhateverTheEvents() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("both", connection);
        reactor.registerHandler(handler, EventType.READ | EventType.WRITE);
        reactor.removeHandler(handler);
        assertEquals(List.of("close READ|WRITE"), handler.calls());
        runUntilIdle();
        assertEquals(1, handler.calls().size());
    }

    @Test
    void registersForNothingAtFirst() throws Exception {
        Pipe pipe = readablePipe();
        Recorder handler = reader("silent", pipe);
        reactor.registerHandler(handler, 0);
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        reactor.registerHandler(handler, EventType.READ);
        runUntil(() -> handler.called("input"));
    }

    @Test
    void changesEventsInOneGo() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("changing", connection);
        handler.onOutput(() -> reactor.changeEvents(handler.handle(), EventType.READ));
        reactor.registerHandler(handler, EventType.READ);
        reactor.changeEvents(handler.handle(), EventType.WRITE);
        connection.send("x");
        runUntil(() -> handler.called("input"));
        assertEquals(List.of("output", "input"), handler.calls());
        reactor.changeEvents(handler.handle(), EventType.WRITE | EventType.EXCEPTION);
        reactor.removeHandler(handler);
        assertEquals("close WRITE|EXCEPTION", handler.calls().get(2));
    }

    @Test
    void aRegistrationWithoutEventsStaysAndIsSilent() throws Exception {
        Pipe pipe = pipe();
        Recorder handler = reader("silenced", pipe);
        reactor.registerHandler(handler, EventType.READ);
        reactor.changeEvents(handler.handle(), 0);
        send(pipe);
        pipe.sink().close();
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        reactor.changeEvents(handler.handle(), EventType.READ);
        runUntil(() -> handler.called("input"));
        assertEquals(1, handler.received());
    }

    @Test
    void deactivatesAndReactivates() throws Exception {
        Pipe pipe = readablePipe();
        Recorder handler = reader("sleeper", pipe);
        reactor.registerHandler(handler, EventType.READ);
        reactor.deactivateHandle(handler.handle());
        reactor.deactivateHandle(handler.handle());
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        reactor.reactivateHandle(handler.handle());
        runUntil(() -> handler.called("input"));
        reactor.reactivateHandle(handler.handle());
        runUntilIdle();
        assertEquals(List.of("input"), handler.calls());
    }

    @Test
    void aDeactivatedHandleKeepsItsEventsAndCanBeRemoved() throws Exception {
        Recorder handler = reader("sleeper", readablePipe());
        reactor.registerHandler(handler, EventType.READ);
        reactor.deactivateHandle(handler.handle());
        reactor.removeHandler(handler);
        assertEquals(List.of("close READ"), handler.calls());
    }

    @Test
    void deactivatesInsideItsOwnHookAndAgainAndAgain() throws Exception {
        Pipe pipe = pipe();
        Recorder handler = reader("pausing", pipe);
        handler.onInput(() -> reactor.deactivateHandle(handler.handle()));
        reactor.registerHandler(handler, EventType.READ);
        reactor.deactivateHandle(handler.handle());
        for (int i = 1; i <= 5; i++) {
            int expected = i;
            send(pipe);
            runUntilIdle();
            assertEquals(expected - 1, handler.count("input"));
            reactor.reactivateHandle(handler.handle());
            runUntil(() -> handler.count("input") == expected);
        }
    }

    @Test
    void refusesASecondHandlerAndNamesBoth() throws Exception {
        Pipe pipe = pipe();
        Recorder first = reader("the first", pipe);
        Recorder second = reader("the second", pipe);
        reactor.registerHandler(first, EventType.READ);
        IllegalStateException refused = assertThrows(IllegalStateException.class,
                () -> reactor.registerHandler(second, EventType.WRITE));
        assertTrue(refused.getMessage().contains("the first"), refused::getMessage);
        assertTrue(refused.getMessage().contains("the second"), refused::getMessage);
        assertTrue(refused.getMessage().contains(pipe.source().toString()), refused::getMessage);
        send(pipe);
        runUntil(() -> first.called("input"));
        assertEquals(List.of(), second.calls());
    }

    @Test
    void aHandleMayHaveAnotherHandlerAfterTheFirstHasLeft() throws Exception {
        Pipe pipe = readablePipe();
        Recorder first = reader("first", pipe);
        Recorder second = reader("second", pipe);
        first.onClose(() -> reactor.registerHandler(second, EventType.READ));
        reactor.registerHandler(first, EventType.READ);
        reactor.removeHandler(first);
        runUntil(() -> second.called("input"));
        assertEquals(List.of("close READ"), first.calls());
    }

    @Test
    void refusesEventsThatAHandleCannotHave() throws Exception {
        Recorder handler = reader("any", pipe());
        for (int events : new int[] {EventType.TIMEOUT, EventType.SIGNAL, EventType.CLOSE, 1 << 20, -1}) {
            assertThrows(IllegalArgumentException.class, () -> reactor.registerHandler(handler, events));
            assertThrows(IllegalArgumentException.class, () -> reactor.changeEvents(handler.handle(), events));
        }
    }

    @Test
    void changingWhatIsNotRegisteredDoesNothing() throws Exception {
        Recorder handler = reader("stranger", readablePipe());
        reactor.removeHandler(handler);
        reactor.changeEvents(handler.handle(), EventType.READ);
        reactor.deactivateHandle(handler.handle());
        reactor.reactivateHandle(handler.handle());
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
    }

    @Test
    void registeringAClosedHandleFailsWhereItIsDone() throws Exception {
        Pipe pipe = pipe();
        pipe.source().close();
        Recorder handler = reader("late", pipe);
        assertThrows(HandleClosedException.class, () -> reactor.registerHandler(handler, EventType.READ));
        runUntilIdle();
        assertThrows(HandleClosedException.class, () -> reactor.registerHandler(handler, EventType.READ));
        assertEquals(List.of(), handler.calls());
    }

    @Test
    void otherThreadsRegisterChangeAndRemove() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("remote", connection);
        handler.onOutput(() -> reactor.changeEvents(handler.handle(), EventType.READ));
        LoopRunner loop = runInBackground();
        reactor.registerHandler(handler, EventType.READ);
        reactor.changeEvents(handler.handle(), EventType.WRITE);
        OtherThread.await(() -> handler.called("output"));
        reactor.deactivateHandle(handler.handle());
        connection.send("x");
        reactor.reactivateHandle(handler.handle());
        OtherThread.await(() -> handler.called("input"));
        reactor.removeHandler(handler);
        OtherThread.await(() -> handler.called("close"));
        assertEquals(List.of("output", "input", "close READ"), handler.calls());
        assertEquals(isShared() ? Set.of(loop.thread(), Thread.currentThread()) : Set.of(loop.thread()),
                handler.threads());
    }
}
