package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class ReactorCloseTest extends ReactorContract {

    private static final int MANY = 100;

    private final List<Recorder> handlers = new ArrayList<>();

    @BeforeEach
    void registerHandlers() throws Exception {
        for (int i = 0; i < 3; i++) {
            Recorder handler = reader("handler " + i, pipe());
            handlers.add(handler);
            handler.register(reactor, Interest.READ);
        }
    }

    private void assertClosed() {
        for (Recorder handler : handlers) {
            assertEquals(List.of("close READ"), handler.calls());
        }
        assertThrows(IllegalStateException.class, () -> reactor.runOnce(Duration.ZERO));
        assertThrows(IllegalStateException.class, reactor::runOnce);
        assertThrows(IllegalStateException.class, reactor::run);
        Recorder late = handlers.get(0);
        assertThrows(IllegalStateException.class, () -> late.register(reactor, Interest.READ));
        assertThrows(IllegalStateException.class, () -> reactor.schedule(late, null, Duration.ZERO));
        assertThrows(IllegalStateException.class, () -> reactor.onSignal(OsSignal.URG, () -> { }));
        assertThrows(RejectedExecutionException.class, () -> reactor.execute(() -> { }));
        late.registration().close();
        late.registration().interest(Interest.READ);
        late.registration().pause();
        late.registration().resume();
        reactor.removeSignal(OsSignal.URG);
        reactor.wakeUp();
        reactor.stop();
        reactor.close();
        assertEquals(1, late.calls().size());
    }

    @Test
    void beforeAnyThreadHasRunTheLoop() {
        reactor.close();
        assertClosed();
    }

    @Test
    void byTheThreadThatHasRunTheLoop() throws Exception {
        reactor.runOnce(Duration.ZERO);
        reactor.close();
        assertClosed();
    }

    @Test
    void byAHookWhenItHasReturned() throws Exception {
        Recorder closing = reader("closing", readablePipe());
        closing.onInput(() -> {
            reactor.close();
            reactor.close();
            assertFalse(handlers.get(0).called("close"));
        });
        closing.register(reactor, Interest.READ);
        assertEquals(1, reactor.runOnce(LIMIT));
        assertEquals(List.of("input", "close READ"), closing.calls());
        assertClosed();
    }

    @Test
    void byAHookOfARunningLoop() throws Exception {
        Recorder closing = reader("closing", readablePipe());
        closing.onInput(reactor::close);
        closing.register(reactor, Interest.READ);
        reactor.run();
        assertClosed();
    }

    @Test
    void byATimerAndByATask() throws Exception {
        reactor.schedule(new Recorder("closing").onTimeout(reactor::close), null, Duration.ZERO);
        reactor.execute(reactor::close);
        reactor.run();
        assertClosed();
    }

    @Test
    void byAnotherThreadWhichWaitsForTheLoopThread() throws Exception {
        LoopRunner loop = runInBackground();
        reactor.close();
        for (Recorder handler : handlers) {
            assertEquals(List.of("close READ"), handler.calls());
            assertTrue(handler.threads().contains(loop.thread()));
        }
        loop.join();
        assertClosed();
    }

    @Test
    void byAnotherThreadWhileAHookIsBusy() throws Exception {
        LoopRunner loop = runInBackground();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        reactor.execute(() -> {
            busy.countDown();
            OtherThread.await(done);
        });
        OtherThread.await(busy);
        OtherThread<Void> closer = OtherThread.start(() -> {
            reactor.close();
            return null;
        });
        OtherThread.awaitWaiting(closer.thread());
        assertFalse(handlers.get(0).called("close"));
        done.countDown();
        closer.result();
        assertTrue(handlers.get(0).called("close"));
        loop.join();
        assertClosed();
    }

    @Test
    void byAThreadThatIsInterruptedAndStaysSo() throws Exception {
        LoopRunner loop = runInBackground();
        assertTrue(OtherThread.start(() -> {
            Thread.currentThread().interrupt();
            reactor.close();
            assertTrue(handlers.get(0).called("close"));
            return Thread.interrupted();
        }).result());
        loop.join();
        assertClosed();
    }

    @Test
    void byAnotherThreadBetweenTwoCallsOfTheLoop() throws Exception {
        reactor.runOnce(Duration.ZERO);
        OtherThread.run(reactor::close);
        assertClosed();
    }

    @Test
    void afterTheLoopThreadHasEnded() throws Exception {
        OtherThread.run(() -> reactor.runOnce(Duration.ZERO));
        Recorder queued = reader("queued", pipe());
        queued.register(reactor, Interest.READ);
        assertEquals(List.of(), queued.calls());
        reactor.close();
        assertEquals(List.of("close READ"), queued.calls());
        assertClosed();
    }

    @Test
    void byFourThreadsAtOnceWhileTheLoopRuns() throws Exception {
        LoopRunner loop = runInBackground();
        closeByFourThreads();
        loop.join();
        assertClosed();
    }

    @Test
    void byFourThreadsAtOnceWithoutALoop() throws Exception {
        closeByFourThreads();
        assertClosed();
    }

    private void closeByFourThreads() throws Exception {
        CountDownLatch together = new CountDownLatch(4);
        List<OtherThread<Integer>> closers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            closers.add(OtherThread.start(() -> {
                together.countDown();
                OtherThread.await(together);
                reactor.close();
                return handlers.stream().mapToInt(handler -> handler.count("close")).sum();
            }));
        }
        for (OtherThread<Integer> closer : closers) {
            assertEquals(3, closer.result(), "handlers that were closed when close() returned");
        }
    }

    @Test
    void whileAnotherThreadCallsHandleEventsAgainAndAgain() throws Exception {
        for (int round = 0; round < CalledSystem.times(Depth.times(20, 50, 200)); round++) {
            Reactor racing = own(openAnother());
            CountDownLatch looping = new CountDownLatch(1);
            OtherThread<Void> loop = OtherThread.start(() -> {
                assertThrows(IllegalStateException.class, () -> {
                    while (true) {
                        racing.runOnce(Duration.ZERO);
                        looping.countDown();
                    }
                });
                return null;
            });
            OtherThread.await(looping);
            racing.close();
            loop.result();
        }
    }

    @Test
    void insideACloseHook() {
        handlers.get(0).onClose(reactor::close);
        handlers.get(1).onClose(reactor::close);
        handlers.get(0).registration().close();
        assertClosed();
    }

    @Test
    void withHandlersThatAreRegisteredInTheMeantime() throws Exception {
        Pipe pipe = pipe();
        Recorder born = reader("born", pipe);
        handlers.get(1).onClose(() -> born.register(reactor, Interest.READ));
        reactor.close();
        assertEquals(List.of("close READ"), born.calls());
        assertClosed();
    }

    @Test
    void withAHandlerThatRegistersAgainAndAgain() {
        Recorder stubborn = handlers.get(1);
        stubborn.onClose(() -> {
            if (stubborn.count("close") < MANY) {
                stubborn.register(reactor, Interest.READ);
            }
        });
        reactor.close();
        assertTrue(stubborn.count("close") < MANY, "it was never refused");
        assertEquals(1, stubborn.failures().size());
        assertInstanceOf(IllegalStateException.class, stubborn.failures().get(0));
        assertThrows(IllegalStateException.class, () -> reactor.runOnce(Duration.ZERO));
    }

    @Test
    void withHandlersThatRemoveEachOtherInTheMeantime() {
        for (Recorder handler : handlers) {
            handler.onClose(() -> {
                for (Recorder other : handlers) {
                    other.registration().close();
                    other.handle().close();
                }
            });
        }
        reactor.close();
        for (Recorder handler : handlers) {
            assertEquals(List.of("close READ"), handler.calls());
        }
    }

    @Test
    void withHandlersThatScheduleAndExecuteInTheMeantime() {
        Recorder dropped = new Recorder("dropped");
        List<Exception> refused = new ArrayList<>();
        handlers.get(0).onClose(() -> {
            reactor.schedule(dropped, null, Duration.ZERO);
            refused.add(assertThrows(RejectedExecutionException.class, () -> reactor.execute(() -> { })));
        });
        reactor.close();
        assertEquals(1, refused.size());
        assertEquals(List.of(), dropped.calls());
    }

    @Test
    void withAHookThatRunsTheLoopInTheMeantime() throws Exception {
        ClosingHook hook = new ClosingHook();
        handlers.get(1).onClose(hook::run);
        OtherThread.run(reactor::close);
        hook.assertWaitedFor();
        assertClosed();
    }

    @Test
    void withAHookThatRunsTheLoopInTheThreadThatLeavesIt() throws Exception {
        ClosingHook hook = new ClosingHook();
        handlers.get(1).onClose(hook::run);
        LoopRunner loop = runInBackground();
        OtherThread.run(reactor::close);
        loop.join();
        hook.assertWaitedFor();
        assertClosed();
    }

    @Test
    void withATaskThatRunsTheLoopInTheMeantime() throws Exception {
        ClosingHook hook = new ClosingHook();
        reactor.execute(hook::run);
        OtherThread.run(reactor::close);
        hook.assertWaitedFor();
        assertClosed();
    }
}
