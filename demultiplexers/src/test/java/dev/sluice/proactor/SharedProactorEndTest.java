package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How several threads get out of the proactor that they run. */
class SharedProactorEndTest extends SharedProactorContract {

    private static final int STREAMS = 10;
    private static final byte[] MUCH = new byte[4 * 1024 * 1024];

    private int startOperations() throws IOException {
        for (int i = 0; i < STREAMS; i++) {
            AsyncStream stream = async(unix().near());
            stream.receiveContinuously("receive on " + i);
            stream.receive(ByteBuffer.allocateDirect(8), "receive " + i);
            stream.send(ByteBuffer.wrap(MUCH), "send " + i);
            stream.send(heap("never"), "send more " + i);
        }
        proactor.schedule(recorder, "never", Duration.ofDays(1));
        return STREAMS * 4;
    }

    private void assertEnded(int operations) {
        assertEquals(operations, recorder.results().size());
        recorder.results().forEach(each -> assertTrue(each.isCancelled() && each.last(), each::toString));
        recorder.results().forEach(each -> assertEquals(each, recorder.last(each.token())));
        assertEquals(List.of(), recorder.failures());
        assertEquals(List.of(), recorder.timeouts());
        assertThrows(IllegalStateException.class, proactor::run);
        assertThrows(IllegalStateException.class, () -> proactor.runOnce(Duration.ZERO));
    }

    private static void join(List<LoopRunner> threads) {
        threads.forEach(LoopRunner::join);
    }

    @Test
    void allStop() throws Exception {
        for (int i = 0; i < 50; i++) {
            List<LoopRunner> threads = runBy(THREADS);
            proactor.stop();
            join(threads);
        }
    }

    @Test
    void aHookStopsAll() throws Exception {
        for (int i = 0; i < 20; i++) {
            List<LoopRunner> threads = runBy(THREADS);
            proactor.post(completion -> proactor.stop(), null, 0);
            join(threads);
        }
    }

    @Test
    void stopBeforeARunEndsTheNextRun() throws Exception {
        proactor.stop();
        proactor.run();
        // And the one after that does not.
        List<LoopRunner> threads = runBy(2);
        proactor.stop();
        join(threads);
    }

    @Test
    void stopIsNotDelayedByHandleEvents() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<OtherThread<Void>> visitors = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            visitors.add(OtherThread.start(() -> {
                while (!over.get()) {
                    proactor.runOnce();
                }
                return null;
            }));
        }
        for (int i = 0; i < 30; i++) {
            List<LoopRunner> threads = runBy(2);
            proactor.stop();
            join(threads);
        }
        over.set(true);
        for (OtherThread<Void> visitor : visitors) {
            while (visitor.thread().isAlive()) {
                proactor.wakeUp();
                Thread.yield();
            }
            visitor.result();
        }
    }

    @Test
    void aHooksOwnRunStopsToo() throws Exception {
        CountDownLatch inner = new CountDownLatch(1);
        List<LoopRunner> threads = runBy(2);
        proactor.post(completion -> {
            inner.countDown();
            proactor.run();
            recorder.handleTimeout("stopped");
        }, null, 0);
        OtherThread.await(inner);
        proactor.stop();
        join(threads);
        assertEquals(List.of("stopped"), recorder.timeouts());
    }

    @Test
    void isClosedFromOutside() throws Exception {
        int operations = startOperations();
        List<LoopRunner> threads = runBy(THREADS);
        proactor.close();
        assertEnded(operations);
        join(threads);
    }

    @Test
    void isClosedByOneWhoIsWaitedFor() throws Exception {
        int operations = startOperations();
        List<LoopRunner> threads = runBy(THREADS);
        CountDownLatch slow = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        proactor.post(completion -> {
            begun.countDown();
            OtherThread.await(slow);
        }, null, 0);
        OtherThread.await(begun);
        OtherThread<Void> closer = OtherThread.start(() -> {
            proactor.close();
            return null;
        });
        OtherThread.await(() -> threads.stream().filter(each -> each.thread().isAlive()).count() == 1);
        assertTrue(closer.thread().isAlive());
        slow.countDown();
        closer.result();
        assertEnded(operations);
        join(threads);
    }

    @Test
    void isClosedByAHook() throws Exception {
        int operations = startOperations();
        AtomicInteger before = new AtomicInteger(-1);
        List<LoopRunner> threads = runBy(THREADS);
        CountDownLatch closing = new CountDownLatch(1);
        proactor.post(completion -> {
            proactor.close();
            proactor.close();
            // The others leave though this one does not come to it yet.
            OtherThread.await(() -> threads.stream().filter(each -> each.thread().isAlive()).count() == 1);
            before.set(recorder.results().size());
            closing.countDown();
        }, null, 0);
        OtherThread.await(closing);
        join(threads);
        assertEquals(0, before.get(), "it waits until the hook has returned");
        assertEnded(operations);
    }

    @Test
    void isClosedByHooksOfAllThreads() throws Exception {
        for (int round = 0; round < Depth.times(3, 9, 20); round++) {
            Proactor closed = own(Proactor.open(demultiplexer));
            CountDownLatch all = new CountDownLatch(THREADS);
            for (int i = 0; i < THREADS; i++) {
                closed.post(completion -> {
                    all.countDown();
                    OtherThread.await(all);
                    closed.close();
                }, null, 0);
            }
            List<LoopRunner> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(LoopRunner.started(closed));
            }
            join(threads);
            assertFalse(closed.inEventLoop());
            assertThrows(IllegalStateException.class, closed::run);
        }
    }

    @Test
    void isClosedBySeveralThreads() throws Exception {
        int operations = startOperations();
        List<LoopRunner> threads = runBy(THREADS);
        List<OtherThread<Void>> closers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            closers.add(OtherThread.start(() -> {
                proactor.close();
                return null;
            }));
        }
        for (OtherThread<Void> closer : closers) {
            closer.result();
        }
        assertEnded(operations);
        join(threads);
    }

    @Test
    void isClosedAfterAllHaveLeft() throws Exception {
        int operations = startOperations();
        List<LoopRunner> threads = runBy(THREADS);
        proactor.stop();
        join(threads);
        assertEquals(0, recorder.results().size());
        proactor.close();
        assertEnded(operations);
    }

    @Test
    void everythingComesBackWhenItIsClosedUnderLoad() throws Exception {
        for (int round = 0; round < Depth.times(3, 9, 20); round++) {
            Proactor busy = own(Proactor.open(demultiplexer));
            AtomicInteger started = new AtomicInteger();
            AtomicInteger over = new AtomicInteger();
            List<LoopRunner> threads = run(busy, THREADS);
            for (int i = 0; i < STREAMS; i++) {
                Connection connection = unix();
                AsyncStream[] stream = new AsyncStream[1];
                stream[0] = new AsyncStream(busy, connection.near(), new CompletionHandler() {
                    @Override
                    public void handleCompletion(Completion completion) throws IOException {
                        over.incrementAndGet();
                        connection.drain((int) completion.bytesTransferred());
                        try {
                            stream[0].send(ByteBuffer.allocate(8), null);
                            started.incrementAndGet();
                        } catch (IllegalStateException e) {
                            // Closed meanwhile.
                            return;
                        }
                    }
                });
                stream[0].send(ByteBuffer.allocate(8), null);
                started.incrementAndGet();
            }
            OtherThread.await(() -> over.get() > 5 * STREAMS);
            busy.close();
            join(threads);
            assertEquals(started.get(), over.get());
        }
    }
}
