package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code handleClose} is called exactly once for each registration, however it ends. */
@Tag(Depth.IN_QUICK)
class CloseHookTest extends ReactorContract {

    /** Ends the reactor as well, so that a second call would come. */
    private void assertClosedOnce(Recorder handler) throws Exception {
        runUntil(() -> handler.called("close"));
        runUntilIdle();
        handler.registration().close();
        handler.handle().close();
        reactor.close();
        assertEquals(1, handler.count("close"), () -> handler.calls().toString());
        assertEquals("close READ", handler.calls().get(handler.calls().size() - 1));
    }

    @Test
    void whenRemovedBeforeTheLoopRuns() throws Exception {
        Recorder handler = reader("removed", pipe());
        handler.register(reactor, Interest.READ);
        handler.registration().close();
        assertEquals(List.of("close READ"), handler.calls());
        assertClosedOnce(handler);
    }

    @Test
    void whenRemovedByItsOwnHook() throws Exception {
        Recorder handler = reader("removed", readablePipe());
        handler.onInput(() -> {
            handler.registration().close();
            handler.registration().close();
        });
        handler.register(reactor, Interest.READ);
        assertClosedOnce(handler);
    }

    @Test
    void whenRemovedByAnotherThread() throws Exception {
        Recorder handler = reader("removed", pipe());
        handler.register(reactor, Interest.READ);
        LoopRunner loop = runInBackground();
        handler.registration().close();
        handler.registration().close();
        OtherThread.await(() -> handler.called("close"));
        loop.close();
        assertClosedOnce(handler);
    }

    @Test
    void whenTheHandleIsClosedByItsOwnHook() throws Exception {
        Recorder handler = reader("closed", readablePipe());
        handler.onInput(() -> {
            handler.handle().close();
            assertEquals(List.of("input", "close READ"), handler.calls());
        });
        handler.register(reactor, Interest.READ);
        assertClosedOnce(handler);
        assertEquals(List.of(), handler.failures());
    }

    @Test
    void whenTheHandleIsClosedByAnotherHook() throws Exception {
        Recorder handler = reader("closed", pipe());
        Recorder closer = reader("closer", readablePipe());
        closer.onInput(() -> handler.handle().close());
        handler.register(reactor, Interest.READ);
        closer.register(reactor, Interest.READ);
        assertClosedOnce(handler);
    }

    @Test
    void whenTheHandleIsClosedByAnotherThreadWhileTheLoopWaits() throws Exception {
        Recorder handler = reader("closed", pipe());
        handler.register(reactor, Interest.READ);
        LoopRunner loop = runInBackground();
        handler.handle().close();
        OtherThread.await(() -> handler.called("close"));
        assertSame(isShared() ? Thread.currentThread() : loop.thread(), handler.threads().iterator().next());
        loop.close();
        assertClosedOnce(handler);
    }

    @Test
    void whenManyHandlesAreClosedByOtherThreads() throws Exception {
        assumeTakesManyHandles();
        Recorder[] handlers = new Recorder[200];
        for (int i = 0; i < handlers.length; i++) {
            handlers[i] = reader("closed " + i, pipe());
            handlers[i].register(reactor, Interest.READ);
        }
        LoopRunner loop = runInBackground();
        OtherThread<?>[] closers = new OtherThread<?>[4];
        for (int i = 0; i < closers.length; i++) {
            int number = i;
            closers[i] = OtherThread.start(() -> {
                for (int at = number; at < handlers.length; at += closers.length) {
                    handlers[at].handle().close();
                }
                return null;
            });
        }
        for (OtherThread<?> closer : closers) {
            closer.result();
        }
        for (Recorder handler : handlers) {
            OtherThread.await(() -> handler.called("close"));
        }
        loop.close();
        for (Recorder handler : handlers) {
            assertEquals(List.of("close READ"), handler.calls());
        }
    }

    @Test
    void whenTheHandleIsClosedBeforeTheLoopRuns() throws Exception {
        Recorder handler = reader("closed", pipe());
        handler.register(reactor, Interest.READ);
        handler.handle().close();
        assertEquals(List.of("close READ"), handler.calls());
        assertClosedOnce(handler);
    }

    @Test
    void whenTheHandleIsClosedByAnotherThreadBeforeTheLoopRuns() throws Exception {
        Recorder handler = reader("closed", pipe());
        handler.register(reactor, Interest.READ);
        OtherThread.run(handler.handle()::close);
        assertClosedOnce(handler);
    }

    @Test
    void whenAHookThrew() throws Exception {
        Recorder handler = reader("failing", readablePipe());
        handler.onInput(() -> {
            throw new IOException("thrown by the test");
        });
        handler.register(reactor, Interest.READ);
        assertClosedOnce(handler);
        assertEquals(List.of("input", "failure", "close READ"), handler.calls());
    }

    @Test
    void whenAHookClosedTheHandleAndThrew() throws Exception {
        Recorder handler = reader("failing", readablePipe());
        handler.onInput(() -> {
            handler.handle().close();
            throw new IOException("thrown by the test");
        });
        handler.register(reactor, Interest.READ);
        runUntil(() -> handler.called("failure"));
        reactor.close();
        assertEquals(List.of("input", "close READ", "failure"), handler.calls());
    }

    @Test
    void whenAHookRemovedItsHandlerAndThrew() throws Exception {
        Recorder handler = reader("failing", readablePipe());
        handler.onInput(() -> {
            handler.registration().close();
            throw new IOException("thrown by the test");
        });
        handler.register(reactor, Interest.READ);
        runUntil(() -> handler.called("failure"));
        reactor.close();
        assertEquals(List.of("input", "close READ", "failure"), handler.calls());
    }

    @Test
    void whenTheReactorIsClosed() throws Exception {
        Recorder handler = reader("last", pipe());
        handler.register(reactor, Interest.READ);
        reactor.close();
        assertEquals(List.of("close READ"), handler.calls());
        handler.handle().close();
        handler.registration().close();
        assertEquals(List.of("close READ"), handler.calls());
    }

    @Test
    void whenTheRegistrationIsStillQueuedAsTheReactorCloses() throws Exception {
        Recorder handler = reader("late", readablePipe());
        reactor.runOnce(Duration.ZERO);
        OtherThread.run(() -> {
            handler.register(reactor, Interest.READ);
            assertEquals(List.of(), handler.calls());
            reactor.close();
        });
        assertEquals(List.of("close READ"), handler.calls());
    }

    @Test
    void whenRegistrationsRaceWithTheCloseOfTheReactor() throws Exception {
        for (int round = 0; round < 20; round++) {
            Reactor racing = own(openAnother());
            LoopRunner loop = new LoopRunner(racing);
            Recorder[] handlers = new Recorder[10];
            boolean[] accepted = new boolean[handlers.length];
            for (int i = 0; i < handlers.length; i++) {
                handlers[i] = reader("racing " + i, pipe());
            }
            OtherThread<Void> registering = OtherThread.start(() -> {
                for (int i = 0; i < handlers.length; i++) {
                    accepted[i] = register(racing, handlers[i]);
                }
                return null;
            });
            racing.close();
            registering.result();
            loop.join();
            for (int i = 0; i < handlers.length; i++) {
                assertEquals(accepted[i] ? List.of("close READ") : List.of(), handlers[i].calls());
            }
        }
    }

    private static boolean register(Reactor racing, Recorder handler) throws IOException {
        try {
            handler.register(racing, Interest.READ);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Test
    void onceForEachOfSeveralRegistrationsOfAHandle() throws Exception {
        Recorder handler = reader("again", pipe());
        for (int i = 1; i <= 3; i++) {
            handler.register(reactor, Interest.READ);
            handler.registration().close();
            assertEquals(i, handler.count("close"));
        }
    }

    @Test
    void notForAHandleThatIsClosedAfterItsRemoval() throws Exception {
        Pipe pipe = pipe();
        Recorder handler = reader("removed", pipe);
        handler.register(reactor, Interest.READ);
        handler.registration().close();
        pipe.source().close();
        runUntilIdle();
        assertEquals(List.of("close READ"), handler.calls());
    }

    @Test
    void getsItsEventsAlthoughAnotherThreadClosedTheHandle() throws Exception {
        Recorder handler = reader("closed", pipe());
        handler.register(reactor, Interest.READ);
        handler.registration().interest(Interest.READ.plus(Interest.EXCEPTION));
        runUntilIdle();
        OtherThread.run(handler.handle()::close);
        runUntil(() -> handler.called("close"));
        assertEquals(List.of("close READ|EXCEPTION"), handler.calls());
    }

    @Test
    void mayCloseTheHandleAndRemoveTheHandlerAgain() throws Exception {
        Recorder handler = reader("thorough", readablePipe());
        handler.onClose(() -> {
            handler.handle().close();
            handler.registration().close();
        });
        handler.onInput(() -> handler.registration().close());
        handler.register(reactor, Interest.READ);
        assertClosedOnce(handler);
        assertFalse(handler.handle().isOpen());
    }
}
