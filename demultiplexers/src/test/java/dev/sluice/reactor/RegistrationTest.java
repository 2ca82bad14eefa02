package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
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
        handler.register(reactor, Interest.READ);
        runUntil(() -> handler.called("input"));
        assertEquals(List.of(pipe.source()), handler.handles());
        handler.registration().close();
        assertEquals(List.of("input", "close READ"), handler.calls());
    }

    @Test
    void oneHandlerServesSeveralHandles() throws Exception {
        Pipe[] pipes = {readablePipe(), readablePipe(), readablePipe()};
        Recorder handler = recorder("several", pipes[0].source());
        for (Pipe pipe : pipes) {
            reactor.register(pipe.source(), Interest.READ, handler);
        }
        // The hook has noted which one it is called for.
        handler.onInput(() -> handler.registration().close());
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
        reactor.register(one.source(), Interest.READ, handler);
        reactor.register(two.source(), Interest.READ, handler).close();
        runUntil(() -> handler.called("input"));
        assertEquals(List.of(two.source(), one.source()), handler.handles());
    }

    @Test
    void addsEventsToARegistration() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("adding", connection);
        handler.onOutput(() -> handler.registration().interest(Interest.READ));
        handler.register(reactor, Interest.READ);
        runUntilIdle();
        handler.registration().interest(handler.registration().interest().plus(Interest.WRITE));
        runUntil(() -> handler.called("output"));
        connection.send("x");
        runUntil(() -> handler.called("input"));
        handler.registration().close();
        assertEquals(List.of("output", "input", "close READ"), handler.calls());
    }

    @Test
    void waitsForLessWithoutEnding() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("less", connection);
        handler.register(reactor, Interest.READ_WRITE);
        handler.registration().interest(Interest.READ);
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        connection.send("x");
        runUntil(() -> handler.called("input"));
        handler.registration().interest(Interest.NONE);
        runUntilIdle();
        handler.registration().close();
        assertEquals(List.of("input", "close NONE"), handler.calls());
    }

    @Test
    void endsWhateverTheEvents() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("both", connection);
        handler.register(reactor, Interest.READ_WRITE);
        handler.registration().close();
        assertEquals(List.of("close READ|WRITE"), handler.calls());
        runUntilIdle();
        assertEquals(1, handler.calls().size());
    }

    @Test
    void registersForNothingAtFirst() throws Exception {
        Pipe pipe = readablePipe();
        Recorder handler = reader("silent", pipe);
        handler.register(reactor, Interest.NONE);
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        handler.registration().interest(Interest.READ);
        runUntil(() -> handler.called("input"));
    }

    @Test
    void changesEventsInOneGo() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("changing", connection);
        handler.onOutput(() -> handler.registration().interest(Interest.READ));
        handler.register(reactor, Interest.READ);
        handler.registration().interest(Interest.WRITE);
        connection.send("x");
        runUntil(() -> handler.called("input"));
        assertEquals(List.of("output", "input"), handler.calls());
        handler.registration().interest(Interest.WRITE.plus(Interest.EXCEPTION));
        handler.registration().close();
        assertEquals("close WRITE|EXCEPTION", handler.calls().get(2));
    }

    @Test
    void aRegistrationWithoutEventsStaysAndIsSilent() throws Exception {
        Pipe pipe = pipe();
        Recorder handler = reader("silenced", pipe);
        handler.register(reactor, Interest.READ);
        handler.registration().interest(Interest.NONE);
        send(pipe);
        pipe.sink().close();
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        handler.registration().interest(Interest.READ);
        runUntil(() -> handler.called("input"));
        assertEquals(1, handler.received());
    }

    @Test
    void deactivatesAndReactivates() throws Exception {
        Pipe pipe = readablePipe();
        Recorder handler = reader("sleeper", pipe);
        handler.register(reactor, Interest.READ);
        handler.registration().pause();
        handler.registration().pause();
        runUntilIdle();
        assertEquals(List.of(), handler.calls());
        handler.registration().resume();
        runUntil(() -> handler.called("input"));
        handler.registration().resume();
        runUntilIdle();
        assertEquals(List.of("input"), handler.calls());
    }

    @Test
    void aDeactivatedHandleKeepsItsEventsAndCanBeRemoved() throws Exception {
        Recorder handler = reader("sleeper", readablePipe());
        handler.register(reactor, Interest.READ);
        handler.registration().pause();
        handler.registration().close();
        assertEquals(List.of("close READ"), handler.calls());
    }

    @Test
    void deactivatesInsideItsOwnHookAndAgainAndAgain() throws Exception {
        Pipe pipe = pipe();
        Recorder handler = reader("pausing", pipe);
        handler.onInput(() -> handler.registration().pause());
        handler.register(reactor, Interest.READ);
        handler.registration().pause();
        for (int i = 1; i <= 5; i++) {
            int expected = i;
            send(pipe);
            runUntilIdle();
            assertEquals(expected - 1, handler.count("input"));
            handler.registration().resume();
            runUntil(() -> handler.count("input") == expected);
        }
    }

    @Test
    void refusesASecondHandlerAndNamesBoth() throws Exception {
        Pipe pipe = pipe();
        Recorder first = reader("the first", pipe);
        Recorder second = reader("the second", pipe);
        first.register(reactor, Interest.READ);
        IllegalStateException refused = assertThrows(IllegalStateException.class,
                () -> second.register(reactor, Interest.WRITE));
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
        first.onClose(() -> second.register(reactor, Interest.READ));
        first.register(reactor, Interest.READ);
        first.registration().close();
        runUntil(() -> second.called("input"));
        assertEquals(List.of("close READ"), first.calls());
    }

    @Test
    void changingWhatIsNotRegisteredDoesNothing() throws Exception {
        Recorder handler = reader("stranger", readablePipe());
        handler.register(reactor, Interest.NONE).close();
        handler.registration().close();
        handler.registration().interest(Interest.READ);
        handler.registration().pause();
        handler.registration().resume();
        runUntilIdle();
        assertEquals(List.of("close NONE"), handler.calls());
    }

    @Test
    void registeringAClosedHandleFailsWhereItIsDone() throws Exception {
        Pipe pipe = pipe();
        pipe.source().close();
        Recorder handler = reader("late", pipe);
        assertThrows(HandleClosedException.class, () -> handler.register(reactor, Interest.READ));
        runUntilIdle();
        assertThrows(HandleClosedException.class, () -> handler.register(reactor, Interest.READ));
        assertEquals(List.of(), handler.calls());
    }

    @Test
    void otherThreadsRegisterChangeAndRemove() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("remote", connection);
        handler.onOutput(() -> handler.registration().interest(Interest.READ));
        LoopRunner loop = runInBackground();
        handler.register(reactor, Interest.READ);
        handler.registration().interest(Interest.WRITE);
        OtherThread.await(() -> handler.called("output"));
        handler.registration().pause();
        connection.send("x");
        handler.registration().resume();
        OtherThread.await(() -> handler.called("input"));
        handler.registration().close();
        OtherThread.await(() -> handler.called("close"));
        assertEquals(List.of("output", "input", "close READ"), handler.calls());
        assertEquals(isShared() ? Set.of(loop.thread(), Thread.currentThread()) : Set.of(loop.thread()),
                handler.threads());
    }
}
