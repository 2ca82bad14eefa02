package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Handlers that change the set while a batch is being dispatched. Which of two ready handles comes first is open, so
 * both do to the other what is tested, and the first to be called is the one.
 */
class ChangesInsideHooksTest extends ReactorContract {

    private final Recorder[] pair = new Recorder[2];
    private final Pipe[] pipes = new Pipe[2];

    private interface ChangeOfOther {
        void on(int other) throws Exception;
    }

    /** Registers two readers that are ready, of which the first to be called does something to the other. */
    private void registerPair(ChangeOfOther deed) throws Exception {
        for (int i = 0; i < 2; i++) {
            pipes[i] = readablePipe();
            pair[i] = reader("reader " + i, pipes[i]);
            int other = 1 - i;
            pair[i].onInput(() -> {
                if (!pair[other].called("input") && pair[other].calls().isEmpty()) {
                    deed.on(other);
                }
            });
        }
        pair[0].register(reactor, Interest.READ);
        pair[1].register(reactor, Interest.READ);
    }

    private int first() {
        return pair[0].called("input") ? 0 : 1;
    }

    private Recorder second() {
        return pair[1 - first()];
    }

    @Test
    void aHandlerRemovesItself() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = reader("leaving", connection);
        handler.onOutput(() -> handler.registration().close());
        handler.register(reactor, Interest.READ_WRITE);
        connection.send("x");
        runUntil(() -> handler.called("close"));
        connection.send("y");
        runUntilIdle();
        assertEquals(List.of("output", "close READ|WRITE"), handler.calls());
    }

    @Test
    void aHandlerThatIsRemovedLaterInTheBatchIsNotCalled() throws Exception {
        registerPair(other -> pair[other].registration().close());
        assertEquals(1, reactor.runOnce(LIMIT));
        runUntilIdle();
        assertEquals(List.of("close READ"), second().calls());
    }

    @Test
    void aHandleThatIsClosedLaterInTheBatchIsNotServed() throws Exception {
        registerPair(other -> pipes[other].source().close());
        assertEquals(1, reactor.runOnce(LIMIT));
        runUntilIdle();
        assertEquals(List.of("close READ"), second().calls());
    }

    @Test
    void aHandleThatAnotherThreadClosesInTheMeantimeIsNotServed() throws Exception {
        registerPair(other -> OtherThread.run(pipes[other].source()::close));
        runUntil(() -> second().called("close"));
        runUntilIdle();
        assertEquals(List.of("close READ"), second().calls());
    }

    @Test
    void aHandleThatIsDeactivatedLaterInTheBatchIsNotServedButAfterwards() throws Exception {
        registerPair(other -> pair[other].registration().pause());
        assertEquals(1, reactor.runOnce(LIMIT));
        runUntilIdle();
        Recorder silenced = second();
        assertEquals(List.of(), silenced.calls());
        silenced.registration().resume();
        runUntil(() -> silenced.called("input"));
    }

    @Test
    void aHandleWhoseEventsChangeLaterInTheBatchIsServedForTheNewOnes() throws Exception {
        Connection[] connections = {own(Connection.unix()), own(Connection.unix())};
        Recorder[] handlers = new Recorder[2];
        for (int i = 0; i < 2; i++) {
            Recorder handler = reader("changing " + i, connections[i]);
            int other = 1 - i;
            handlers[i] = handler;
            handler.onInput(() -> {
                if (handlers[other].calls().isEmpty()) {
                    handlers[other].registration().interest(Interest.WRITE);
                }
            });
            handler.onOutput(() -> handler.registration().interest(Interest.READ));
            handler.register(reactor, Interest.READ);
            connections[i].send("x");
        }
        runUntil(() -> handlers[0].called("input") && handlers[1].called("input"));
        Recorder changed = handlers[0].called("output") ? handlers[0] : handlers[1];
        assertEquals(List.of("output", "input"), changed.calls());
        connections[0].send("y");
        connections[1].send("y");
        runUntil(() -> handlers[0].received() == 2 && handlers[1].received() == 2);
    }

    @Test
    void aHandlerThatReplacesTheRemovedOneGetsItsOwnCall() throws Exception {
        Recorder[] replacement = new Recorder[1];
        registerPair(other -> {
            pair[other].registration().close();
            replacement[0] = reader("replacement", pipes[other]);
            replacement[0].register(reactor, Interest.READ);
        });
        runUntil(() -> replacement[0] != null && replacement[0].called("input"));
        runUntilIdle();
        assertEquals(List.of("close READ"), second().calls());
        assertEquals(List.of("input"), replacement[0].calls());
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void aNewHandleWithTheDescriptorOfAClosedOneDoesNotGetItsEvent() throws Exception {
        List<Recorder> successors = new ArrayList<>();
        registerPair(other -> {
            String before = pair[other].handle().toString();
            pipes[other].source().close();
            // The lowest free number is given out next.
            Pipe successor = pipe();
            assertEquals(before, successor.source().toString());
            assertNotSame(pair[other].handle(), successor.source());
            Recorder handler = reader("successor", successor);
            successors.add(handler);
            handler.register(reactor, Interest.READ);
        });
        runUntilIdle();
        assertEquals(1, successors.size());
        assertEquals(List.of(), successors.get(0).calls());
        assertEquals(List.of("close READ"), second().calls());
    }

    @Test
    void aHandlerRegistersAnother() throws Exception {
        Pipe pipe = readablePipe();
        Recorder born = reader("born", pipe);
        Recorder parent = reader("parent", readablePipe());
        parent.onInput(() -> born.register(reactor, Interest.READ));
        parent.register(reactor, Interest.READ);
        runUntil(() -> born.called("input"));
        assertEquals(List.of("input"), parent.calls());
    }

    @Test
    void closeHooksRemoveEachOther() throws Exception {
        Recorder one = reader("one", pipe());
        Recorder two = reader("two", pipe());
        one.onClose(() -> two.registration().close());
        two.onClose(() -> one.registration().close());
        one.register(reactor, Interest.READ);
        two.register(reactor, Interest.READ);
        one.registration().close();
        assertEquals(List.of("close READ"), one.calls());
        assertEquals(List.of("close READ"), two.calls());
    }

    @Test
    void changingAHandleThatAnotherThreadHasJustClosedDoesNothing() throws Exception {
        Pipe closed = pipe();
        Recorder victim = reader("victim", closed);
        Recorder handler = reader("changing", readablePipe());
        handler.onInput(() -> {
            OtherThread.run(closed.source()::close);
            assertDoesNotThrow(() -> victim.registration().interest(Interest.READ));
            assertDoesNotThrow(() -> victim.registration().pause());
            assertDoesNotThrow(() -> victim.registration().resume());
            assertDoesNotThrow(() -> victim.registration().close());
        });
        victim.register(reactor, Interest.READ_WRITE);
        victim.registration().pause();
        handler.register(reactor, Interest.READ);
        runUntil(() -> handler.called("input") && victim.called("close"));
        assertEquals(List.of("close READ|WRITE"), victim.calls());
        assertEquals(List.of(), handler.failures());
    }

    @Test
    void registeringMoreOnAHandleThatAnotherThreadHasJustClosedFails() throws Exception {
        Pipe closed = pipe();
        Recorder victim = reader("victim", closed);
        List<Exception> thrown = new ArrayList<>();
        Recorder handler = reader("registering", readablePipe());
        handler.onInput(() -> {
            OtherThread.run(closed.source()::close);
            thrown.add(assertThrows(Exception.class, () -> victim.register(reactor, Interest.WRITE)));
        });
        victim.register(reactor, Interest.READ);
        handler.register(reactor, Interest.READ);
        runUntil(() -> handler.called("input") && victim.called("close"));
        assertInstanceOf(HandleClosedException.class, thrown.get(0));
        assertEquals(List.of("close READ"), victim.calls());
        assertTrue(handler.failures().isEmpty());
    }
}
