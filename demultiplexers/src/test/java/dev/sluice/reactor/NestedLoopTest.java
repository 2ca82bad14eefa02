package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hooks that run the event loop themselves: the Re-entrant Reactor of the Reactor paper's variants. */
class NestedLoopTest extends ReactorContract {

    /** Readers of readable pipes, of which each runs the loop from inside its hook. */
    private List<Recorder> nestingReaders(int count, List<Integer> results) throws Exception {
        List<Recorder> handlers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Recorder handler = reader("nesting " + i, readablePipe());
            handler.onInput(() -> results.add(reactor.runOnce(Duration.ZERO)));
            handlers.add(handler);
            handler.register(reactor, Interest.READ);
        }
        return handlers;
    }

    @Test
    void theInnerCallServesWhatTheOuterHasNotComeTo() throws Exception {
        List<Integer> results = new ArrayList<>();
        List<Recorder> handlers = nestingReaders(2, results);
        assertEquals(1, reactor.runOnce(LIMIT));
        // The innermost hook returns first, with nothing left to do.
        assertEquals(List.of(0, 1), results);
        runUntilIdle();
        for (Recorder handler : handlers) {
            assertEquals(List.of("input"), handler.calls());
        }
    }

    @Test
    void everyLevelTakesOneHandleOfTheBatch() throws Exception {
        int depth = 20;
        List<Integer> results = new ArrayList<>();
        List<Recorder> handlers = nestingReaders(depth, results);
        assertEquals(1, reactor.runOnce(LIMIT));
        assertEquals(depth, results.size());
        assertEquals(depth - 1, results.stream().mapToInt(Integer::intValue).sum());
        runUntilIdle();
        for (Recorder handler : handlers) {
            assertEquals(List.of("input"), handler.calls());
        }
    }

    @Test
    void allHandlesAreServedAgainAfterTheNesting() throws Exception {
        List<Pipe> pipes = new ArrayList<>();
        List<Recorder> handlers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Pipe pipe = pipe();
            pipes.add(pipe);
            Recorder handler = reader("nesting " + i, pipe).onInput(() -> reactor.runOnce(Duration.ZERO));
            handlers.add(handler);
            handler.register(reactor, Interest.READ);
        }
        for (int i = 1; i <= 10; i++) {
            int expected = i;
            for (Pipe pipe : pipes) {
                send(pipe);
            }
            runUntil(() -> handlers.stream().allMatch(handler -> handler.received() == expected));
        }
    }

    @Test
    void theInnerCallWaitsForNewEvents() throws Exception {
        Pipe question = readablePipe();
        Pipe answer = pipe();
        Recorder answered = reader("answer", answer);
        Recorder asking = reader("question", question).onInput(() -> {
            OtherThread<Void> peer = OtherThread.start(() -> {
                send(answer);
                return null;
            });
            runUntil(() -> answered.called("input"));
            peer.result();
        });
        answered.register(reactor, Interest.READ);
        asking.register(reactor, Interest.READ);
        runUntil(() -> asking.called("input"));
        runUntilIdle();
        assertEquals(List.of("input"), answered.calls());
        assertEquals(List.of("input"), asking.calls());
    }

    @Test
    void aNewBatchOfTheInnerCallDoesNotDisturbTheOuter() throws Exception {
        List<Recorder> handlers = new ArrayList<>();
        List<Pipe> pipes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Pipe pipe = readablePipe();
            pipes.add(pipe);
            Recorder handler = reader("reader " + i, pipe);
            handlers.add(handler);
            handler.register(reactor, Interest.READ);
        }
        Pipe late = pipe();
        Recorder latecomer = reader("late", late);
        latecomer.register(reactor, Interest.READ);
        for (Recorder handler : handlers) {
            handler.onInput(() -> {
                int expected = latecomer.received() + 1;
                send(late);
                runUntil(() -> latecomer.received() >= expected);
            });
        }
        runUntil(() -> handlers.stream().allMatch(handler -> handler.called("input")));
        runUntilIdle();
        for (Recorder handler : handlers) {
            assertEquals(List.of("input"), handler.calls());
        }
        assertEquals(4, latecomer.received());
    }

    @Test
    void timersFireInTheInnerCall() throws Exception {
        Recorder inner = new Recorder("inner");
        Recorder outer = new Recorder("outer").onTimeout(() -> {
            reactor.schedule(inner, 2, Duration.ofMillis(1));
            runUntil(() -> inner.called("timeout"));
        });
        Recorder sibling = new Recorder("sibling");
        reactor.schedule(outer, 1, Duration.ZERO);
        reactor.schedule(sibling, 3, Duration.ZERO);
        runUntil(() -> inner.called("timeout") && sibling.called("timeout"));
        runUntilIdle();
        assertEquals(List.of("timeout 1"), outer.calls());
        assertEquals(List.of("timeout 2"), inner.calls());
        assertEquals(List.of("timeout 3"), sibling.calls());
    }

    @Test
    void aPeriodicTimerDoesNotFireInsideItself() throws Exception {
        int[] depth = new int[2];
        Recorder periodic = new Recorder("periodic");
        periodic.onTimeout(() -> {
            depth[0]++;
            depth[1] = Math.max(depth[0], depth[1]);
            for (int i = 0; i < 5; i++) {
                reactor.runOnce(Duration.ofMillis(1));
            }
            depth[0]--;
        });
        var timer = reactor.schedule(periodic, null, Duration.ZERO, Duration.ofNanos(1));
        runUntil(() -> periodic.count("timeout") == 3);
        timer.cancel();
        assertEquals(1, depth[1]);
    }

    @Test
    void tasksRunInTheInnerCall() throws Exception {
        List<String> order = new ArrayList<>();
        reactor.execute(() -> {
            order.add("outer begins");
            reactor.execute(() -> order.add("inner"));
            assertHandled(2);
            order.add("outer ends");
        });
        reactor.execute(() -> order.add("next"));
        runUntil(() -> order.size() == 4);
        runUntilIdle();
        assertEquals(List.of("outer begins", "next", "inner", "outer ends"), order);
    }

    private void assertHandled(int count) {
        try {
            assertEquals(count, reactor.runOnce(Duration.ZERO));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anInnerRunEndsAloneWhenItIsStopped() throws Exception {
        Pipe pipe = pipe();
        Recorder stopping = reader("stopping", pipe).onInput(reactor::stop);
        Recorder last = new Recorder("last").onTimeout(reactor::stop);
        Recorder running = reader("running", readablePipe()).onInput(() -> {
            send(pipe);
            reactor.run();
            assertTrue(stopping.called("input"));
            reactor.schedule(last, null, Duration.ZERO);
        });
        stopping.register(reactor, Interest.READ);
        running.register(reactor, Interest.READ);
        reactor.run();
        assertTrue(last.called("timeout"), "the outer loop has ended too early");
        assertFalse(running.called("failure"));
    }

    @Test
    void aHandlerIsRemovedWhileItRunsTheLoop() throws Exception {
        Connection connection = own(Connection.unix());
        connection.send("x");
        Recorder nesting = reader("nesting", connection);
        Recorder remover = new Recorder("remover").onTimeout(() -> nesting.registration().close());
        nesting.onOutput(() -> {
            reactor.schedule(remover, null, Duration.ZERO);
            nesting.registration().interest(Interest.NONE);
            runUntil(() -> remover.called("timeout"));
        });
        nesting.register(reactor, Interest.READ_WRITE);
        reactor.runOnce(LIMIT);
        runUntilIdle();
        assertEquals("output", nesting.calls().get(0));
        assertEquals(1, nesting.count("close"));
        assertEquals(0, nesting.count("failure"));
    }

    @Test
    void theReactorClosesWhenTheOutermostHookHasReturned() throws Exception {
        Recorder idle = reader("idle", pipe());
        List<String> order = new ArrayList<>();
        idle.onClose(() -> order.add("closed"));
        idle.register(reactor, Interest.READ);
        Recorder closing = new Recorder("closing").onTimeout(() -> {
            reactor.close();
            order.add("inner hook");
        });
        Recorder nesting = reader("nesting", readablePipe()).onInput(() -> {
            reactor.schedule(closing, null, Duration.ZERO);
            runUntil(() -> closing.called("timeout"));
            assertEquals(0, reactor.runOnce(), "a wait after the close was asked for");
            order.add("outer hook");
        });
        nesting.register(reactor, Interest.READ);
        reactor.runOnce(LIMIT);
        assertEquals(List.of("inner hook", "outer hook", "closed"), order);
        assertEquals(List.of("input", "close READ"), nesting.calls());
        assertThrows(IllegalStateException.class, () -> reactor.runOnce(Duration.ZERO));
    }
}
