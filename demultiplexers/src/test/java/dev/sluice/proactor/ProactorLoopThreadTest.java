package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.eventloop.WaitFunctions;
import dev.sluice.handle.FaultInjection;
import dev.sluice.reactor.Connection;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What holds where a single thread runs the loop. */
@RunsOn(HandleSetKind.ITERATIVE)
class ProactorLoopThreadTest extends ProactorContract {

    @Test
    void byTheLoopThreadWhileAnotherOneFindsThatItCannot() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        CountDownLatch trying = new CountDownLatch(1);
        AtomicBoolean closing = new AtomicBoolean();
        List<Thread> loop = new ArrayList<>();
        Proactor idle = shutDownAfter(() -> {
            if (Thread.currentThread() != loop.get(0)) {
                trying.countDown();
                OtherThread.await(closing::get);
                OtherThread.await(() -> loop.get(0).getState() == Thread.State.BLOCKED
                        || loop.get(0).getState() == Thread.State.WAITING
                        || loop.get(0).getState() == Thread.State.TIMED_WAITING);
            }
        });
        new AsyncStream(idle, unix().near(), recorder).receive(ByteBuffer.allocate(1), "receive");
        OtherThread<Void> right = OtherThread.start(() -> {
            loop.add(Thread.currentThread());
            idle.runOnce(Duration.ZERO);
            ran.countDown();
            OtherThread.await(trying);
            closing.set(true);
            idle.close();
            return null;
        });
        OtherThread.await(ran);
        OtherThread.run(() -> {
            String refusal = assertThrows(IllegalStateException.class, idle::close).getMessage();
            assertTrue(refusal.contains(" belongs to Thread[") && refusal.contains("Run the loop once more"), refusal);
        });
        right.result();
        assertTrue(recorder.last("receive").isCancelled());
    }

    @Test
    void onlyOneThreadRunsTheLoop() throws Exception {
        LoopRunner loop = runInBackground();
        IllegalStateException refused = assertThrows(IllegalStateException.class,
                () -> proactor.runOnce(Duration.ZERO));
        assertTrue(refused.getMessage().contains(loop.thread().getName()), refused::getMessage);
        proactor.post(recorder, "still", 0);
        OtherThread.await(() -> recorder.isOver("still"));
        assertSame(loop.thread(), recorder.last("still").thread());
    }

    @Test
    void firstThreadStaysLoopThread() throws Exception {
        proactor.runOnce(Duration.ZERO);
        assertTrue(proactor.inEventLoop());
        OtherThread<Integer> other = OtherThread.start(() -> proactor.runOnce(Duration.ZERO));
        assertThrows(IllegalStateException.class, other::result);
        // And it goes on as if nothing had happened.
        assertTrue(proactor.inEventLoop());
        Connection connection = unix();
        async(connection.near()).receive(ByteBuffer.allocate(1), "receive");
        connection.send("x");
        assertEquals(1, result("receive").bytes());
    }

    /** No other call would wake up the thread that must begin it. */
    @Test
    void whatAnotherThreadStartsIsBegunEvenIfThereWasNoMemoryForTheWakeUp() throws Exception {
        Connection connection = tcp();
        try (FaultInjection faults = FaultInjection.install()) {
            Proactor opened = own(Proactor.open(demultiplexer));
            AsyncStream stream = new AsyncStream(opened, connection.near());
            LoopRunner loop = own(new LoopRunner(opened));
            String waking = WaitFunctions.waking(demultiplexer);
            for (int n = 1; n <= 3; n++) {
                faults.throwNth(waking, n, new OutOfMemoryError("thrown by the test"));
            }
            // A thread that does not wait needs no wake-up.
            while (faults.calls(waking) < 4) {
                CompletableFuture<Long> received = stream.receiveFuture(ByteBuffer.allocateDirect(1));
                connection.send("x");
                assertEquals(1, received.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
            }
            loop.close();
            opened.close();
        }
    }
}
