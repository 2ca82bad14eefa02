package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class EventLoopTest extends ReactorContract {

    // Longer than any test: a wait that should have ended and has not is a failure, not a delay.
    private static final Duration A_DAY = Duration.ofDays(1);

    @Test
    void looksOnceIfTheTimeoutIsZero() throws Exception {
        assertEquals(0, reactor.runOnce(Duration.ZERO));
        Recorder handler = reader("reader", readablePipe());
        handler.register(reactor, Interest.READ);
        assertEquals(1, reactor.runOnce(Duration.ZERO));
        assertEquals(0, reactor.runOnce(Duration.ZERO));
    }

    @Test
    void itsOnlyThreadLeaves() throws Exception {
        assertThrows(IllegalStateException.class, reactor::leave);
        for (int i = 0; i < 2; i++) {
            reactor.execute(reactor::leave);
            reactor.run();
        }
        assertTrue(reactor.isOpen());
    }

    @Test
    void leaveInANestedRunLeavesTheOutermostRun() throws Exception {
        AtomicBoolean returned = new AtomicBoolean();
        Recorder nesting = reader("nesting", readablePipe()).onInput(() -> {
            reactor.execute(reactor::leave);
            reactor.run();
            returned.set(true);
        });
        nesting.register(reactor, Interest.READ);
        OtherThread.run(reactor::run);
        assertTrue(returned.get());
        // The next run does not know of it.
        AtomicBoolean again = new AtomicBoolean();
        reactor.execute(() -> again.set(true));
        LoopRunner loop = own(LoopRunner.started(reactor));
        OtherThread.await(again::get);
        reactor.execute(reactor::leave);
        loop.join();
        assertTrue(reactor.isOpen());
    }

    @Test
    void leaveInHandleEventsEndsNoLaterRun() throws Exception {
        reactor.execute(reactor::leave);
        assertEquals(1, reactor.runOnce(LIMIT));
        Recorder handler = reader("stopping", readablePipe()).onInput(reactor::stop);
        handler.register(reactor, Interest.READ);
        reactor.run();
        assertTrue(handler.called("input"));
    }

    @Test
    void waitsUntilTheTimeIsOver() throws Exception {
        for (Duration timeout : List.of(Duration.ofNanos(1), Duration.ofNanos(1_500_000), Duration.ofMillis(20))) {
            assertWaits(timeout);
        }
    }

    private void assertWaits(Duration timeout) throws Exception {
        long start = System.nanoTime();
        assertEquals(0, reactor.runOnce(timeout));
        long waited = System.nanoTime() - start;
        assertTrue(waited >= timeout.toNanos(), () -> waited + " ns instead of " + timeout);
    }

    @Test
    void refusesNegativeTimeouts() throws Exception {
        assertThrows(IllegalArgumentException.class, () -> reactor.runOnce(Duration.ofNanos(-1)));
        assertThrows(IllegalArgumentException.class, () -> reactor.runOnce(Duration.ofSeconds(Long.MIN_VALUE)));
        assertEquals(0, reactor.runOnce(Duration.ZERO));
    }

    @Test
    void waitsForAnEventHoweverLong() throws Exception {
        for (Duration timeout : List.of(A_DAY, Duration.ofDays(365 * 100), Duration.ofSeconds(Long.MAX_VALUE))) {
            Pipe pipe = pipe();
            Recorder handler = reader("reader", pipe);
            handler.register(reactor, Interest.READ);
            OtherThread<Void> sender = OtherThread.start(() -> {
                send(pipe);
                return null;
            });
            assertEquals(1, reactor.runOnce(timeout));
            sender.result();
            handler.registration().close();
        }
    }

    @Test
    void waitsForAnEventWithoutEnd() throws Exception {
        Pipe pipe = pipe();
        Recorder handler = reader("reader", pipe);
        handler.register(reactor, Interest.READ);
        OtherThread<Integer> loop = OtherThread.start(reactor::runOnce);
        send(pipe);
        assertEquals(1, loop.result());
        assertSame(loop.thread(), handler.threads().iterator().next());
    }

    @Test
    void aWakeUpEndsAWait() throws Exception {
        for (int i = 0; i < 100; i++) {
            OtherThread<Integer> loop = OtherThread.start(() -> reactor.runOnce(A_DAY));
            reactor.wakeUp();
            assertEquals(0, loop.result());
        }
    }

    @Test
    void aWakeUpEndsTheNextWait() throws Exception {
        reactor.wakeUp();
        assertEquals(0, reactor.runOnce(A_DAY));
        assertWaits(Duration.ofMillis(5));
    }

    @Test
    void noWakeUpIsLostBetweenClosingHandles() throws Exception {
        int rounds = CalledSystem.times(2_000);
        LoopRunner loop = runInBackground();
        OtherThread<Void> closer = OtherThread.start(() -> {
            for (int i = 0; i < rounds; i++) {
                try (Pipe pipe = Pipe.open()) {
                    reader("short-lived", pipe).register(reactor, Interest.READ);
                }
            }
            return null;
        });
        for (int i = 0; i < rounds; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            reactor.execute(ran::countDown);
            OtherThread.await(ran);
        }
        closer.result();
        loop.close();
    }

    @Test
    void runsUntilItIsStopped() throws Exception {
        Pipe pipe = pipe();
        Recorder handler = reader("stopping", pipe).onInput(reactor::stop);
        handler.register(reactor, Interest.READ);
        for (int i = 1; i <= 3; i++) {
            OtherThread<Void> loop = OtherThread.start(() -> {
                reactor.run();
                return null;
            });
            send(pipe);
            loop.result();
            assertEquals(i, handler.received());
        }
    }

    @Test
    void isStoppedByAnotherThreadAndRunsAgain() throws Exception {
        for (int i = 0; i < 20; i++) {
            LoopRunner loop = new LoopRunner(reactor);
            loop.close();
        }
        Recorder handler = reader("reader", readablePipe()).onInput(reactor::stop);
        handler.register(reactor, Interest.READ);
        OtherThread.run(reactor::run);
        assertEquals(1, handler.received());
    }

    @Test
    void doesNotRunIfItWasStoppedBefore() throws Exception {
        Recorder handler = reader("reader", readablePipe());
        handler.register(reactor, Interest.READ);
        reactor.stop();
        reactor.stop();
        reactor.run();
        assertFalse(handler.called("input"));
        handler.onInput(reactor::stop);
        reactor.run();
        assertTrue(handler.called("input"));
    }

    @Test
    void aStopThatNoRunHasSeenYetDoesNotKeepHandleEventsFromWaiting() throws Exception {
        reactor.stop();
        reactor.runOnce(Duration.ZERO);
        assertWaits(Duration.ofMillis(20));
        reactor.run();
    }

    @Test
    void theLoopMayMoveFromThreadToThread() throws Exception {
        Pipe pipe = pipe();
        Recorder handler = reader("reader", pipe);
        handler.register(reactor, Interest.READ);
        for (int i = 1; i <= 5; i++) {
            send(pipe);
            assertEquals(1, OtherThread.start(() -> reactor.runOnce(A_DAY)).result());
        }
        assertEquals(5, handler.threads().size());
    }

    @Test
    void saysWhatItWaitsWith() {
        assertEquals(demultiplexer, reactor.demultiplexer());
        assertTrue(reactor.toString().contains(demultiplexer));
    }
}
