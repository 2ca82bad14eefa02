package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How several threads get out of the reactor that they run. */
@Tag(Depth.IN_QUICK)
class SharedReactorEndTest extends SharedReactorContract {

    private final List<Recorder> handlers = new ArrayList<>();

    private void registerHandlers() throws IOException {
        for (int i = 0; i < 10; i++) {
            Recorder handler = reader("handler " + i, pipe());
            handlers.add(handler);
            handler.register(reactor, Interest.READ);
        }
        reactor.schedule(new Recorder("never"), null, Duration.ofDays(1));
    }

    private void assertEnded() {
        handlers.forEach(handler -> assertEquals(List.of("close READ"), handler.calls()));
        assertThrows(IllegalStateException.class, reactor::run);
        assertThrows(IllegalStateException.class, () -> reactor.runOnce(Duration.ZERO));
        assertThrows(IllegalStateException.class,
                () -> handlers.get(0).register(reactor, Interest.READ));
        handlers.get(0).registration().close();
        handlers.get(0).registration().interest(Interest.READ);
        handlers.get(0).registration().pause();
        handlers.get(0).registration().resume();
        assertEquals(1, handlers.get(0).calls().size());
    }

    private static void join(List<LoopRunner> threads) {
        threads.forEach(LoopRunner::join);
    }

    /** Runs an action in a hook. */
    private void inHook(OtherThread.Action action) throws IOException {
        Recorder handler = reader("hook", readablePipe());
        handler.onInput(action);
        handler.register(reactor, Interest.READ);
    }

    @Test
    void allStop() throws Exception {
        for (int i = 0; i < 50; i++) {
            List<LoopRunner> threads = runBy(THREADS);
            reactor.stop();
            join(threads);
        }
    }

    @Test
    void aHookStopsAll() throws Exception {
        for (int i = 0; i < 20; i++) {
            List<LoopRunner> threads = runBy(THREADS);
            inHook(reactor::stop);
            join(threads);
        }
    }

    @Test
    void oneLeavesAndTheOthersContinue() throws Exception {
        List<LoopRunner> threads = runBy(THREADS);
        for (int left = THREADS - 1; left > 0; left--) {
            int expected = left;
            reactor.execute(reactor::leave);
            OtherThread.await(() -> threads.stream().filter(each -> each.thread().isAlive()).count() == expected);
            meet(reactor, left, () -> { });
        }
        assertThrows(IllegalStateException.class, reactor::leave);
        inHook(reactor::leave);
        join(threads);
        // It is open, and can be run again.
        List<LoopRunner> others = runBy(2);
        reactor.stop();
        join(others);
    }

    @Test
    void leaveInANestedRunLeavesTheOutermostRun() throws Exception {
        List<LoopRunner> threads = runBy(1);
        inHook(() -> {
            reactor.execute(reactor::leave);
            reactor.run();
        });
        join(threads);
    }

    @Test
    void stopIsNotDelayedByHandleEvents() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        OtherThread<Void> visitor = OtherThread.start(() -> {
            while (!over.get()) {
                reactor.runOnce();
            }
            return null;
        });
        for (int i = 0; i < 30; i++) {
            List<LoopRunner> threads = runBy(2);
            reactor.stop();
            join(threads);
        }
        over.set(true);
        while (visitor.thread().isAlive()) {
            reactor.wakeUp();
            Thread.yield();
        }
        visitor.result();
    }

    @Test
    void isClosedFromOutside() throws Exception {
        registerHandlers();
        List<LoopRunner> threads = runBy(THREADS);
        reactor.close();
        assertEnded();
        join(threads);
    }

    @Test
    void isClosedByOneWhoWaitsForAHook() throws Exception {
        registerHandlers();
        List<LoopRunner> threads = runBy(THREADS);
        CountDownLatch end = new CountDownLatch(1);
        Recorder slow = beginHook(own(Connection.unix()), end);
        OtherThread<Void> closer = OtherThread.start(() -> {
            reactor.close();
            return null;
        });
        OtherThread.await(() -> threads.stream().filter(each -> each.thread().isAlive()).count() == 1);
        assertTrue(closer.thread().isAlive());
        assertFalse(handlers.get(0).called("close"));
        end.countDown();
        closer.result();
        assertEquals(List.of("input", "close READ"), slow.calls());
        assertEnded();
        join(threads);
    }

    @Test
    void isClosedByAHook() throws Exception {
        registerHandlers();
        List<LoopRunner> threads = runBy(THREADS);
        List<Boolean> before = new ArrayList<>();
        inHook(() -> {
            reactor.close();
            reactor.close();
            // The others leave though this one does not come to it yet.
            OtherThread.await(() -> threads.stream().filter(each -> each.thread().isAlive()).count() == 1);
            before.add(handlers.get(0).called("close"));
        });
        join(threads);
        assertEquals(List.of(false), before, "it waits until the hook has returned");
        assertEnded();
    }

    @Test
    void isClosedByHooksOfAllThreads() throws Exception {
        registerHandlers();
        List<LoopRunner> threads = runBy(THREADS);
        meet(reactor, THREADS, reactor::close);
        join(threads);
        assertEnded();
    }

    @Test
    void isClosedBySeveralThreads() throws Exception {
        registerHandlers();
        List<LoopRunner> threads = runBy(THREADS);
        List<OtherThread<Void>> closers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            closers.add(OtherThread.start(() -> {
                reactor.close();
                return null;
            }));
        }
        for (OtherThread<Void> closer : closers) {
            closer.result();
        }
        assertEnded();
        join(threads);
    }

    @Test
    void isClosedAfterAllHaveLeft() throws Exception {
        registerHandlers();
        List<LoopRunner> threads = runBy(THREADS);
        reactor.stop();
        join(threads);
        assertFalse(handlers.get(0).called("close"));
        reactor.close();
        assertEnded();
    }

    @Test
    void isClosedByAHandlerThatAnotherThreadEnds() throws Exception {
        registerHandlers();
        List<LoopRunner> threads = runBy(THREADS);
        handlers.get(0).onClose(reactor::close);
        handlers.get(0).handle().close();
        join(threads);
        assertEnded();
    }

    @Tag(Depth.REPEATED)
    @Test
    void eachRegistrationEndsOnceWhenItIsClosedUnderLoad() throws Exception {
        for (int round = 0; round < Depth.times(3, 9, 20); round++) {
            Reactor busy = own(openAnother());
            List<LoopRunner> threads = run(busy, THREADS);
            List<Recorder> echoing = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                Connection connection = own(Connection.unix());
                Recorder handler = reader("echo " + i, connection);
                handler.onInput(() -> connection.send("x"));
                echoing.add(handler);
                handler.register(busy, Interest.READ);
                connection.send("x");
            }
            OtherThread.await(() -> echoing.stream().allMatch(handler -> handler.count("input") > 3));
            int closedByOthers = round % 3;
            OtherThread<Void> closer = OtherThread.start(() -> {
                for (int i = 0; i < closedByOthers; i++) {
                    echoing.get(i).handle().close();
                    echoing.get(9 - i).registration().close();
                }
                return null;
            });
            busy.close();
            closer.result();
            join(threads);
            for (Recorder handler : echoing) {
                assertEquals(1, handler.count("close"));
                assertEquals("close READ", handler.calls().get(handler.calls().size() - 1));
            }
        }
    }
}
