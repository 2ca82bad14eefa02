package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hook that runs the loop is not entered again, whatever the trigger: its handle is suspended until it returns. */
@Tag(Depth.IN_QUICK)
@RunsOn(each = true)
class SuspendedHandleTest extends ReactorContract {

    /** Notes how deep its hooks are in one another, and lets the test say what they do. */
    private final class Nesting extends OneHandleHandler {

        private final Connection connection;
        private final boolean drains;
        private final Recorder.Source source;
        private Work onInput = () -> { };
        private Work onOutput = () -> { };
        private int depth;
        private int deepest;
        private int inputs;
        private int outputs;
        private int received;

        Nesting(Connection connection, boolean drains) {
            this.connection = connection;
            this.drains = drains;
            this.source = connection.near()::receive;
        }

        @Override
        public Handle handle() {
            return connection.near().handle();
        }

        @Override
        public boolean drains() {
            return drains;
        }

        private void in(Work work) throws Exception {
            depth++;
            deepest = Math.max(depth, deepest);
            try {
                // What is wrong must end, too.
                if (depth == 1) {
                    work.perform();
                }
            } finally {
                depth--;
            }
        }

        @Override
        public void handleInput(Registration registration) throws Exception {
            inputs++;
            in(onInput);
        }

        @Override
        public void handleOutput(Registration registration) throws Exception {
            outputs++;
            in(onOutput);
        }

        void drain() throws IOException {
            ByteBuffer room = ByteBuffer.allocate(64);
            int count;
            do {
                count = source.receive(room.clear());
                received += Math.max(0, count);
            } while (count > 0);
        }

        @Override
        public void handleClose(Registration registration) {
            // The test closes it.
        }
    }

    private interface Work {
        void perform() throws Exception;
    }

    private Nesting nesting(boolean drains) throws IOException {
        return new Nesting(own(Connection.unix()), drains);
    }

    private void turnSeveralTimes() throws IOException {
        for (int i = 0; i < 5; i++) {
            reactor.runOnce(Duration.ZERO);
        }
    }

    @Test
    void aHookThatRunsTheLoopBeforeItHasReadIsNotEnteredAgain() throws Exception {
        Nesting handler = nesting(false);
        handler.onInput = () -> {
            turnSeveralTimes();
            handler.drain();
        };
        handler.register(reactor, Interest.READ);
        for (int i = 1; i <= 3; i++) {
            int expected = i;
            handler.connection.send("x");
            runUntil(() -> handler.received == expected);
            runUntilIdle();
            assertEquals(1, handler.deepest);
            assertEquals(i, handler.inputs);
        }
    }

    @Test
    void aHookThatRunsTheLoopAndDoesNotReadIsCalledAgainWhenItHasReturned() throws Exception {
        Nesting handler = nesting(false);
        handler.onInput = () -> {
            turnSeveralTimes();
            if (handler.inputs == 3) {
                handler.drain();
            }
        };
        handler.register(reactor, Interest.READ);
        handler.connection.send("x");
        runUntil(() -> handler.received == 1);
        runUntilIdle();
        assertEquals(1, handler.deepest);
        assertEquals(3, handler.inputs);
    }

    @Test
    void whatComesWhileAHookRunsTheLoopIsDispatchedAfterwards() throws Exception {
        for (boolean drains : new boolean[] {false, true}) {
            Nesting handler = nesting(drains);
            handler.onInput = () -> {
                handler.drain();
                if (handler.received == 1) {
                    handler.connection.send("y");
                    turnSeveralTimes();
                    assertEquals(1, handler.inputs);
                }
            };
            handler.register(reactor, Interest.READ);
            handler.connection.send("x");
            runUntil(() -> handler.received == 2);
            runUntilIdle();
            assertEquals(1, handler.deepest);
            assertEquals(2, handler.inputs);
            handler.registration().close();
        }
    }

    @Test
    void theOtherEventsOfTheHandleWaitAsWell() throws Exception {
        Nesting handler = nesting(false);
        handler.connection.send("x");
        handler.onOutput = () -> {
            turnSeveralTimes();
            assertEquals(0, handler.inputs);
            handler.registration().interest(Interest.READ);
            turnSeveralTimes();
            assertEquals(0, handler.inputs);
        };
        handler.onInput = () -> {
            handler.drain();
            handler.registration().interest(Interest.WRITE);
            turnSeveralTimes();
            assertEquals(1, handler.outputs);
            handler.registration().interest(Interest.READ);
        };
        handler.register(reactor, Interest.READ_WRITE);
        runUntil(() -> handler.received == 1);
        runUntilIdle();
        assertEquals(1, handler.deepest);
        assertEquals(1, handler.outputs);
    }

    @Test
    void othersAreServedInTheMeantime() throws Exception {
        Nesting handler = nesting(false);
        Pipe pipe = pipe();
        Recorder other = reader("other", pipe);
        handler.onInput = () -> {
            for (int i = 1; i <= 5; i++) {
                int expected = i;
                send(pipe);
                runUntil(() -> other.received() == expected);
            }
            handler.drain();
        };
        handler.register(reactor, Interest.READ);
        other.register(reactor, Interest.READ);
        handler.connection.send("x");
        runUntil(() -> handler.received == 1);
        assertEquals(5, other.received());
        assertEquals(1, handler.deepest);
    }

    @Test
    void hooksInsideOfOneAnotherAreAllSuspended() throws Exception {
        List<Nesting> handlers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Nesting handler = nesting(i % 2 == 0);
            int next = i + 1;
            handler.onInput = () -> {
                if (next < handlers.size() && handlers.get(next).inputs == 0) {
                    handlers.get(next).connection.send("x");
                    runUntil(() -> handlers.get(next).inputs > 0);
                }
                turnSeveralTimes();
                handler.drain();
            };
            handlers.add(handler);
            handler.register(reactor, Interest.READ);
        }
        for (int i = 1; i <= 3; i++) {
            int expected = i;
            handlers.forEach(handler -> handler.inputs = 0);
            handlers.get(0).connection.send("x");
            runUntil(() -> handlers.stream().allMatch(handler -> handler.received == expected));
            runUntilIdle();
            handlers.forEach(handler -> assertEquals(1, handler.deepest));
        }
    }

    @Test
    void anInnerRunWaitsThoughItsHandleIsReady() throws Exception {
        Nesting handler = nesting(false);
        Duration time = Duration.ofMillis(20);
        handler.onInput = () -> {
            // The first may end because of the handle.
            reactor.runOnce(time);
            long begin = System.nanoTime();
            assertEquals(0, reactor.runOnce(time));
            assertTrue(System.nanoTime() - begin >= time.toNanos(), "the loop spins");
            handler.drain();
        };
        handler.register(reactor, Interest.READ);
        handler.connection.send("x");
        runUntil(() -> handler.received == 1);
    }

    @Test
    void aSuspendedHandleIsPausedAndContinuesOnlyWhenBothHaveEnded() throws Exception {
        Nesting handler = nesting(false);
        Recorder timer = new Recorder("timer");
        handler.onInput = () -> {
            if (handler.inputs > 1) {
                handler.drain();
                return;
            }
            turnSeveralTimes();
            timer.onTimeout(() -> {
                handler.registration().pause();
                handler.registration().resume();
            });
            reactor.schedule(timer, 1, Duration.ZERO);
            runUntil(() -> timer.count("timeout") == 1);
            turnSeveralTimes();
            assertEquals(1, handler.inputs);
            timer.onTimeout(() -> handler.registration().pause());
            reactor.schedule(timer, 2, Duration.ZERO);
            runUntil(() -> timer.count("timeout") == 2);
        };
        handler.register(reactor, Interest.READ);
        handler.connection.send("x");
        runUntil(() -> handler.inputs == 1);
        runUntilIdle();
        assertEquals(1, handler.inputs);
        handler.registration().resume();
        runUntil(() -> handler.received == 1);
        assertEquals(1, handler.deepest);
    }

    @Test
    void aHandlerThatReplacesTheOneWhoseHookRunsWaitsForItsReturn() throws Exception {
        Nesting before = nesting(false);
        Nesting after = new Nesting(before.connection, false);
        after.onInput = after::drain;
        before.onInput = () -> {
            before.registration().close();
            after.register(reactor, Interest.READ);
            turnSeveralTimes();
            assertEquals(0, after.inputs);
            // A handler that is replaced immediately is never called.
            after.registration().close();
            after.register(reactor, Interest.READ);
            after.registration().pause();
            after.registration().resume();
            turnSeveralTimes();
            assertEquals(0, after.inputs);
        };
        before.register(reactor, Interest.READ);
        before.connection.send("x");
        runUntil(() -> after.received == 1);
        runUntilIdle();
        assertEquals(1, before.inputs);
        assertEquals(1, after.inputs);
        before.connection.send("y");
        runUntil(() -> after.received == 2);
    }

    @Test
    void aHandlerMayReplaceItselfAndEndAgain() throws Exception {
        Nesting handler = nesting(false);
        handler.onInput = () -> {
            handler.registration().close();
            handler.register(reactor, Interest.READ);
            turnSeveralTimes();
            handler.registration().close();
        };
        for (int i = 1; i <= 2; i++) {
            int expected = i;
            handler.register(reactor, Interest.READ);
            handler.connection.send("x");
            runUntil(() -> handler.inputs == expected);
            runUntilIdle();
            assertEquals(i, handler.inputs);
            assertFalse(handler.registration().isOpen());
        }
    }

    @Test
    void handlerRegisteredInHandleCloseWaitsForItsEnd() throws Exception {
        Nesting after = nesting(false);
        after.onInput = after::drain;
        Recorder before = recorder("before", after.handle());
        before.onClose(() -> {
            after.register(reactor, Interest.READ);
            turnSeveralTimes();
            assertEquals(0, after.inputs);
        });
        before.register(reactor, Interest.READ);
        after.connection.send("x");
        before.registration().close();
        runUntil(() -> after.received == 1);
        runUntilIdle();
        assertEquals(List.of("close READ"), before.calls());
        assertEquals(1, after.inputs);
    }

    @Test
    void handleCloseDuringABatchMayRunTheLoop() throws Exception {
        List<Recorder> handlers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Recorder handler = reader("handler " + i, readablePipe());
            handler.onInput(() -> handlers.forEach(each -> each.registration().close()));
            handler.onClose(this::turnSeveralTimes);
            handlers.add(handler);
            handler.register(reactor, Interest.READ);
        }
        runUntil(() -> handlers.stream().allMatch(handler -> handler.called("close")));
        runUntilIdle();
        handlers.forEach(handler -> assertEquals(1, handler.count("close")));
        handlers.forEach(handler -> assertFalse(handler.called("failure")));
    }

    @Test
    void aSuspendedHandleWhoseHookThrowsEndsOnce() throws Exception {
        Recorder handler = recorder("failing", readablePipe().source());
        handler.onInput(() -> {
            turnSeveralTimes();
            throw new IOException("thrown by the test");
        });
        handler.register(reactor, Interest.READ);
        runUntil(() -> handler.called("close"));
        runUntilIdle();
        assertEquals(List.of("input", "failure", "close READ"), handler.calls());
    }

    @Test
    void aSuspendedHandleIsClosedByAnotherHook() throws Exception {
        Pipe pipe = readablePipe();
        Recorder handler = recorder("closed", pipe.source());
        Recorder closer = new Recorder("closer").onTimeout(() -> pipe.source().close());
        handler.onInput(() -> {
            turnSeveralTimes();
            reactor.schedule(closer, null, Duration.ZERO);
            runUntil(() -> closer.called("timeout"));
            turnSeveralTimes();
        });
        handler.register(reactor, Interest.READ);
        runUntil(() -> handler.called("close"));
        runUntilIdle();
        assertEquals(List.of("input", "close READ"), handler.calls());
    }

    @Test
    void aSuspendedHandleIsStillRegisteredWhenTheReactorCloses() throws Exception {
        Recorder handler = recorder("last", readablePipe().source());
        handler.onInput(() -> {
            turnSeveralTimes();
            reactor.close();
        });
        handler.register(reactor, Interest.READ);
        reactor.runOnce(LIMIT);
        assertEquals(List.of("input", "close READ"), handler.calls());
    }
}
