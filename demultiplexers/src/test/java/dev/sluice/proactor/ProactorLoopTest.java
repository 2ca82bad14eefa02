package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Timers, tasks, signals and posts among the completions, and running the loop. */
@Tag(Depth.IN_QUICK)
class ProactorLoopTest extends ProactorContract {

    private static final Duration A_DAY = Duration.ofDays(1);

    // The JVM's own thread that has brought the signal may still be on its way back out of the loop.
    @AfterEach
    void awaitTheThreadsOfTheSignals() {
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("SIG\\w+ handler"))
                .forEach(OtherThread::awaitEnd);
    }

    @Test
    void timersFireWhileOperationsAreUnderWay() throws Exception {
        Connection connection = unix();
        async(connection.near()).receive(ByteBuffer.allocate(1), "receive");
        long start = System.nanoTime();
        // Far apart, since a busy machine may take its time between both calls.
        Duration late = Duration.ofMillis(300);
        proactor.schedule(recorder, "late", late);
        proactor.schedule(recorder, "early", Duration.ofMillis(1));
        Timer cancelled = proactor.schedule(recorder, "never", Duration.ofMillis(5));
        assertTrue(cancelled.cancel());
        assertFalse(cancelled.cancel());
        runUntil(() -> recorder.timeouts().size() == 2);
        assertTrue(System.nanoTime() - start >= late.toNanos());
        assertEquals(List.of("early", "late"), recorder.timeouts());
        assertFalse(recorder.isOver("receive"));
    }

    @Test
    void periodicTimersFireUntilTheyAreCancelled() throws Exception {
        Timer[] timer = new Timer[1];
        recorder.onTimeout(nothing -> {
            if (recorder.timeouts().size() == 3) {
                timer[0].cancel();
            }
        });
        timer[0] = proactor.schedule(recorder, "tick", Duration.ZERO, Duration.ofMillis(1));
        CompletionRecorder over = recorder("over");
        runUntil(() -> recorder.timeouts().size() == 3);
        proactor.schedule(over, null, Duration.ofMillis(20));
        runUntil(() -> !over.timeouts().isEmpty());
        assertEquals(3, recorder.timeouts().size());
    }

    @Test
    void aTimerThatThrowsIsAFailureWithoutAHandle() throws Exception {
        IOException wanted = new IOException("thrown by the test");
        recorder.onTimeout(nothing -> {
            throw wanted;
        });
        proactor.schedule(recorder, null, Duration.ZERO);
        runUntil(() -> !recorder.failures().isEmpty());
        assertEquals(List.of(wanted), recorder.failures());
        assertEquals(List.of(), recorder.failed());
    }

    @Test
    void tasksOfOtherThreadsEndTheWait() throws Exception {
        List<Integer> order = new ArrayList<>();
        OtherThread<Void> giver = OtherThread.start(() -> {
            for (int i = 0; i < 1_000; i++) {
                int number = i;
                proactor.execute(() -> order.add(number));
            }
            return null;
        });
        runUntil(() -> order.size() == 1_000);
        giver.result();
        for (int i = 0; i < 1_000; i++) {
            assertEquals(i, order.get(i));
        }
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void signalsReachTheirHandlerInTheLoopThread() throws Exception {
        List<Thread> threads = new ArrayList<>();
        proactor.onSignal(OsSignal.WINCH, () -> threads.add(Thread.currentThread()));
        Process kill = new ProcessBuilder("kill", "-WINCH", Long.toString(ProcessHandle.current().pid()))
                .inheritIO().start();
        assertEquals(0, kill.onExit().join().exitValue());
        runUntil(() -> !threads.isEmpty());
        proactor.removeSignal(OsSignal.WINCH);
        assertEquals(List.of(Thread.currentThread()), threads);
    }

    @Test
    void postsComeInOrderAndWithTheirResult() throws Exception {
        proactor.post(recorder, 1, 0);
        OtherThread.run(() -> proactor.post(recorder, 2, Long.MAX_VALUE));
        proactor.post(recorder, 3, 7);
        assertEquals(List.of(), recorder.results());
        runUntil(() -> recorder.over() == 3);
        assertEquals(List.of(1, 2, 3), recorder.tokens());
        assertEquals(Long.MAX_VALUE, recorder.last(2).result());
        assertEquals(OperationType.POST, recorder.last(1).type());
        assertThrows(IllegalArgumentException.class, () -> proactor.post(recorder, null, -1));
        assertThrows(NullPointerException.class, () -> proactor.post(null, null, 0));
    }

    @Test
    void timesPassAsOperations() throws Exception {
        long start = System.nanoTime();
        proactor.timeout(recorder, "time", Duration.ofMillis(5));
        proactor.timeout(recorder, "never", A_DAY);
        CompletionRecorder.Result result = result("time");
        assertTrue(System.nanoTime() - start >= Duration.ofMillis(5).toNanos());
        assertEquals(OperationType.TIMEOUT, result.type());
        assertTrue(result.isSuccess());
        assertThrows(IllegalArgumentException.class, () -> proactor.timeout(recorder, null, Duration.ofNanos(-1)));
        proactor.close();
        assertTrue(recorder.last("never").isCancelled());
        assertEquals(2, recorder.results().size());
        assertThrows(IllegalStateException.class, () -> proactor.timeout(recorder, null, Duration.ZERO));
    }

    @Test
    void handleEventsCountsWhatItDispatched() throws Exception {
        assertEquals(0, proactor.runOnce(Duration.ZERO));
        proactor.post(recorder, 1, 0);
        proactor.post(recorder, 2, 0);
        proactor.execute(() -> { });
        int count = proactor.runOnce(A_DAY);
        assertEquals(count, recorder.results().size() + 1);
        if (isShared()) {
            // It leaves something for others.
            count += proactor.runOnce(A_DAY);
        }
        assertEquals(3, count);
        assertEquals(0, proactor.runOnce(Duration.ofMillis(2)));
    }

    @Test
    void aHookMayRunTheLoop() throws Exception {
        Connection outer = unix();
        Connection inner = unix();
        ByteBuffer room = ByteBuffer.allocate(8);
        AsyncStream asking = async(outer.near());
        AsyncStream asked = async(inner.near());
        List<Object> seen = new ArrayList<>();
        recorder.on(OperationType.RECEIVE, completion -> {
            if (completion.token().equals("outer")) {
                asked.receive(room, "inner");
                inner.send("inside");
                runUntil(() -> recorder.isOver("inner"));
                // Still what it was, though others have come and gone.
                seen.add(completion.token());
                seen.add(completion.bytesTransferred());
                seen.add(completion.handle());
                seen.add(completion.type());
            }
        });
        asking.receive(ByteBuffer.allocate(8), "outer");
        outer.send("abc");
        result("outer");
        assertEquals(List.of("outer", 3L, asking.handle(), OperationType.RECEIVE), seen);
        assertEquals(List.of(), recorder.failures());
        assertReceived("inside", room);
    }

    @Test
    void theInnerLoopServesWhatTheOuterHasNotComeTo() throws Exception {
        int depth = 30;
        List<Object> finished = new ArrayList<>();
        recorder.on(OperationType.POST, completion -> {
            proactor.runOnce(Duration.ZERO);
            finished.add(completion.token());
            assertEquals(completion.token(), (int) completion.result());
        });
        for (int i = 0; i < depth; i++) {
            proactor.post(recorder, i, i);
        }
        runUntil(() -> finished.size() == depth);
        runUntilIdle();
        assertEquals(List.of(), recorder.failures());
        // In the order of the posts from the outside, finished from the inside.
        for (int i = 0; i < depth; i++) {
            assertEquals(i, recorder.tokens().get(i));
            assertEquals(depth - 1 - i, finished.get(i));
        }
    }

    @Test
    void runsUntilItIsStopped() throws Exception {
        recorder.on(OperationType.POST, completion -> proactor.stop());
        for (int i = 0; i < 3; i++) {
            proactor.post(recorder, i, 0);
            proactor.run();
            assertTrue(recorder.isOver(i));
        }
        OtherThread<Void> stopper = OtherThread.start(() -> {
            proactor.stop();
            return null;
        });
        proactor.run();
        stopper.result();
    }

    @Test
    void wakeUpsEndAWait() throws Exception {
        proactor.wakeUp();
        assertEquals(0, proactor.runOnce(A_DAY));
        OtherThread<Void> waker = OtherThread.start(() -> {
            proactor.wakeUp();
            return null;
        });
        assertEquals(0, proactor.runOnce(A_DAY));
        waker.result();
    }

    @Test
    void saysWhatItWaitsWith() {
        assertEquals(demultiplexer, proactor.demultiplexer());
        assertEquals("proactor on " + demultiplexer, proactor.toString());
    }
}
