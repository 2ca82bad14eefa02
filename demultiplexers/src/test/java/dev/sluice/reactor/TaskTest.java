package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class TaskTest extends ReactorContract {

    private static final int THREADS = 4;
    private static final int TASKS = 5_000;

    @Test
    void waitForTheLoopThread() throws Exception {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            reactor.execute(() -> order.add(number));
        }
        assertEquals(List.of(), order);
        assertEquals(3, reactor.runOnce(LIMIT));
        assertEquals(List.of(0, 1, 2), order);
    }

    /** A loop asks for the earliest timer after it has looked for tasks, and before it waits. */
    private static final class LastLook implements TimerQueue {

        private final TimerQueue timers = TimerQueue.heap();
        private Runnable then = () -> { };

        @Override
        public void add(Timer timer) {
            timers.add(timer);
        }

        @Override
        public void remove(Timer timer) {
            timers.remove(timer);
        }

        @Override
        public Timer poll(long now) {
            return timers.poll(now);
        }

        @Override
        public long earliest(long now) {
            Runnable once = then;
            then = () -> { };
            once.run();
            return timers.earliest(now);
        }

        @Override
        public int size() {
            return timers.size();
        }
    }

    @Test
    void endWaitThatBeginsInTheMeantime() throws Exception {
        LastLook timers = new LastLook();
        Reactor late = own(Reactors.on(OpenedDemultiplexers.openSynchronous(demultiplexer), timers, kind));
        AtomicInteger ran = new AtomicInteger();
        OtherThread<Integer> loop = OtherThread.start(() -> {
            late.schedule(token -> { }, null, Duration.ofHours(1));
            while (timers.size() == 0) {
                late.runOnce(Duration.ZERO);
            }
            timers.then = inOtherThread(() -> late.execute(ran::incrementAndGet));
            return late.runOnce();
        });
        assertEquals(1, loop.result());
        assertEquals(1, ran.get());
    }

    private static Runnable inOtherThread(Runnable action) {
        return () -> {
            try {
                OtherThread.run(action::run);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        };
    }

    @Test
    void runInTheOrderOfTheThreadThatGaveThem() throws Exception {
        AtomicInteger[] last = new AtomicInteger[THREADS];
        AtomicInteger outOfOrder = new AtomicInteger();
        LoopRunner loop = runInBackground();
        List<OtherThread<Void>> givers = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            AtomicInteger mine = new AtomicInteger();
            last[thread] = mine;
            givers.add(OtherThread.start(() -> {
                for (int i = 0; i < TASKS; i++) {
                    int number = i;
                    reactor.execute(() -> {
                        if (mine.getAndIncrement() != number || Thread.currentThread() != loop.thread()) {
                            outOfOrder.incrementAndGet();
                        }
                    });
                }
                return null;
            }));
        }
        for (OtherThread<Void> giver : givers) {
            giver.result();
        }
        for (AtomicInteger count : last) {
            OtherThread.await(() -> count.get() == TASKS);
        }
        assertEquals(0, outOfOrder.get());
    }

    @Test
    void doNotKeepHandlesFromBeingServedWhenTheyGiveThemselvesAgain() throws Exception {
        Pipe pipe = pipe();
        Recorder handler = reader("reader", pipe);
        handler.register(reactor, Interest.READ);
        Runnable[] again = new Runnable[1];
        again[0] = () -> {
            if (!handler.called("input")) {
                reactor.execute(again[0]);
            }
        };
        reactor.execute(again[0]);
        assertEquals(1, reactor.runOnce(LIMIT));
        send(pipe);
        runUntil(() -> handler.called("input"));
        runUntilIdle();
    }

    @Test
    void mayBeGivenByHooks() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        Recorder handler = reader("giver", readablePipe());
        handler.onInput(() -> reactor.execute(ran::incrementAndGet));
        handler.register(reactor, Interest.READ);
        runUntil(() -> ran.get() == 1);
    }

    @Test
    void areRunBeforeTheReactorIsClosed() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            reactor.execute(ran::incrementAndGet);
        }
        reactor.close();
        assertEquals(100, ran.get());
    }

    @Test
    void areRefusedAfterTheClose() {
        reactor.close();
        assertThrows(RejectedExecutionException.class, () -> reactor.execute(() -> { }));
    }

    @Test
    void areRefusedWhenTheyGiveThemselvesAgainDuringTheClose() {
        AtomicInteger ran = new AtomicInteger();
        Runnable[] again = new Runnable[1];
        List<Exception> refused = new ArrayList<>();
        again[0] = () -> {
            ran.incrementAndGet();
            try {
                reactor.execute(again[0]);
            } catch (RejectedExecutionException e) {
                refused.add(e);
            }
        };
        reactor.execute(again[0]);
        reactor.close();
        assertEquals(1, ran.get());
        assertEquals(1, refused.size());
    }

    @Tag(Depth.REPEATED)
    @Test
    void areEitherRunOrRefusedWhileTheReactorCloses() throws Exception {
        for (int round = 0; round < Depth.times(2, 10, 50); round++) {
            Reactor racing = own(openAnother());
            LoopRunner loop = new LoopRunner(racing);
            AtomicInteger ran = new AtomicInteger();
            AtomicInteger accepted = new AtomicInteger();
            OtherThread<Void> giver = OtherThread.start(() -> {
                assertThrows(RejectedExecutionException.class, () -> {
                    while (true) {
                        racing.execute(ran::incrementAndGet);
                        accepted.incrementAndGet();
                    }
                });
                return null;
            });
            OtherThread.await(() -> ran.get() > 0);
            racing.close();
            giver.result();
            loop.join();
            assertEquals(accepted.get(), ran.get());
        }
    }

    @Test
    void mustBeThere() {
        assertThrows(NullPointerException.class, () -> reactor.execute(null));
    }

    @Test
    void areCountedByHandleEvents() throws Exception {
        reactor.execute(() -> { });
        reactor.execute(() -> { });
        assertEquals(2, reactor.runOnce(Duration.ZERO));
        assertEquals(!isShared(), reactor.inEventLoop());
    }
}
