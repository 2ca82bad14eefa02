package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import dev.sluice.timer.TimerQueue;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What holds where one thread runs the loop at a time. */
@RunsOn(HandleSetKind.ITERATIVE)
@Tag(Depth.IN_QUICK)
class LoopThreadTest extends ReactorContract {

    @Test
    void dispatchesTheEventsAtHandBeforeItStops() throws Exception {
        Recorder one = reader("one", readablePipe()).onInput(reactor::stop);
        Recorder two = reader("two", readablePipe()).onInput(reactor::stop);
        one.register(reactor, Interest.READ);
        two.register(reactor, Interest.READ);
        reactor.run();
        assertTrue(one.called("input") && two.called("input"));
    }

    @Test
    void onlyOneThreadRunsTheLoop() throws Exception {
        LoopRunner loop = runInBackground();
        for (OtherThread.Action attempt : new OtherThread.Action[] {
            () -> reactor.runOnce(Duration.ZERO), reactor::runOnce, reactor::run}) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, attempt::run);
            assertTrue(refused.getMessage().contains(loop.thread().getName()), refused::getMessage);
        }
        loop.close();
        assertEquals(0, reactor.runOnce(Duration.ZERO));
    }

    @Test
    void inLoopIsTrueOnlyOnTheLoopThread() throws Exception {
        assertFalse(reactor.inEventLoop());
        reactor.runOnce(Duration.ZERO);
        assertTrue(reactor.inEventLoop());
        AtomicBoolean inLoop = new AtomicBoolean();
        LoopRunner loop = runInBackground();
        assertFalse(reactor.inEventLoop());
        reactor.execute(() -> inLoop.set(reactor.inEventLoop()));
        OtherThread.await(inLoop::get);
        loop.close();
    }

    @Test
    void noThreadBecomesTheLoopThreadWhileTheLastOneRegisters() throws Exception {
        AtomicBoolean waited = new AtomicBoolean();
        OtherThread<?>[] next = new OtherThread<?>[1];
        SynchronousEventDemultiplexer real = OpenedDemultiplexers.openSynchronous(demultiplexer);
        SynchronousEventDemultiplexer observed = (SynchronousEventDemultiplexer) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {SynchronousEventDemultiplexer.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("register")) {
                        next[0] = startLoop();
                        OtherThread.await(() -> waited.get() || next[0].thread().getState() == Thread.State.BLOCKED);
                        assertFalse(waited.get(), "the loop runs in the middle of a registration");
                    } else if (method.getName().startsWith("await") && next[0] != null) {
                        waited.set(true);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        reactor = own(Reactors.on(observed, TimerQueue.heap(), kind));
        reactor.runOnce(Duration.ZERO);
        Recorder handler = reader("reader", readablePipe()).onInput(reactor::stop);
        handler.register(reactor, Interest.READ);
        next[0].result();
        assertTrue(handler.called("input"));
    }

    private OtherThread<?> startLoop() {
        return OtherThread.start(() -> {
            reactor.run();
            return null;
        });
    }

    @Test
    void whetherARegistrationIsOpenAnyThreadMayAsk() throws Exception {
        Recorder handler = reader("known", pipe());
        handler.register(reactor, Interest.NONE);
        assertTrue(handler.registration().isOpen(), "before any thread has run the loop");
        runUntilIdle();
        assertTrue(handler.registration().isOpen());
        assertTrue(OtherThread.start(() -> handler.registration().isOpen()).result());
        handler.registration().close();
        assertFalse(handler.registration().isOpen());
        assertFalse(OtherThread.start(() -> handler.registration().isOpen()).result());
    }

    @Test
    void registeringAClosedHandleFromAnotherThreadIsAFailureOfTheHandler() throws Exception {
        Pipe pipe = pipe();
        pipe.source().close();
        Recorder handler = reader("late", pipe);
        LoopRunner loop = runInBackground();
        handler.register(reactor, Interest.READ);
        OtherThread.await(() -> handler.called("failure"));
        assertInstanceOf(HandleClosedException.class, handler.failures().get(0));
        assertEquals(List.of(pipe.source()), handler.handles());
        loop.close();
        assertEquals(List.of("failure"), handler.calls());
        assertEquals(Set.of(loop.thread()), handler.threads());
    }

    @Test
    void aSecondHandlerFromAnotherThreadIsAFailureOfIt() throws Exception {
        Pipe pipe = pipe();
        Recorder first = reader("first", pipe);
        Recorder second = reader("second", pipe);
        runInBackground();
        first.register(reactor, Interest.READ);
        second.register(reactor, Interest.READ);
        send(pipe);
        OtherThread.await(() -> second.called("failure") && first.called("input"));
        assertInstanceOf(IllegalStateException.class, second.failures().get(0));
    }

    @Test
    void keepTheOrderAmongRegistrationsOfTheSameThread() throws Exception {
        Pipe pipe = pipe();
        Recorder handler = reader("reader", pipe);
        List<Integer> closes = new ArrayList<>();
        runInBackground();
        AtomicReference<List<Integer>> seen = new AtomicReference<>();
        handler.register(reactor, Interest.READ);
        reactor.execute(() -> closes.add(handler.count("close")));
        handler.registration().close();
        reactor.execute(() -> closes.add(handler.count("close")));
        reactor.execute(() -> seen.set(closes));
        OtherThread.await(() -> seen.get() != null);
        assertEquals(List.of(0, 1), seen.get());
    }
}
