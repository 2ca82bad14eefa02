package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.Throw;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which hooks several threads call at once, and which never. */
@Tag(Depth.REPEATED)
class SharedProactorTest extends SharedProactorContract {

    private static final int CONNECTIONS = 24;
    private static final int ROUNDS = CalledSystem.isWindows() ? 5 : Depth.times(6, 20, 60);

    private void echoManyConnections() throws Exception {
        List<ExclusiveEcho> echoes = new ArrayList<>();
        List<OtherThread<Void>> clients = new ArrayList<>();
        for (int client = 0; client < CONNECTIONS; client++) {
            Connection connection = client % 2 == 0 ? unix() : tcp();
            echoes.add(new ExclusiveEcho(proactor, connection.near(), violations));
            long seed = client;
            clients.add(OtherThread.start(() -> {
                exchange(connection, seed, ROUNDS);
                connection.far().close();
                return null;
            }));
        }
        for (OtherThread<Void> client : clients) {
            client.result();
        }
        OtherThread.await(() -> echoes.stream().allMatch(ExclusiveEcho::isOver));
        Set<Thread> threads = new HashSet<>();
        echoes.forEach(echo -> threads.addAll(echo.threads()));
        assertTrue(threads.size() > 1, "one thread has done it all");
    }

    @Test
    void echoesManyConnections() throws Exception {
        runBy(THREADS);
        echoManyConnections();
    }

    @Test
    void threadsMayComeForEachEvent() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<OtherThread<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(OtherThread.start(() -> {
                while (!over.get()) {
                    proactor.runOnce(Duration.ofMillis(10));
                }
                return null;
            }));
        }
        echoManyConnections();
        over.set(true);
        for (OtherThread<Void> thread : threads) {
            thread.result();
        }
    }

    @Test
    void hooksOfDifferentHandlesAreCalledAtOnce() throws Exception {
        CountDownLatch all = new CountDownLatch(THREADS);
        recorder.on(OperationType.RECEIVE, completion -> {
            all.countDown();
            OtherThread.await(all);
        });
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Connection connection = unix();
            connections.add(connection);
            async(connection.near()).receive(ByteBuffer.allocate(1), i);
        }
        runBy(THREADS);
        for (Connection connection : connections) {
            connection.send("x");
        }
        OtherThread.await(() -> recorder.over() == THREADS);
        Set<Thread> threads = new HashSet<>();
        recorder.results().forEach(result -> threads.add(result.thread()));
        assertEquals(THREADS, threads.size());
    }

    @Test
    void hooksOfOneHandleAreCalledOneAfterTheOtherAndInOrder() throws Exception {
        int perThread = 500;
        Connection connection = unix();
        AtomicInteger inside = new AtomicInteger();
        List<Integer> received = new ArrayList<>();
        AtomicInteger over = new AtomicInteger();
        AsyncStream stream = new AsyncStream(proactor, connection.near(), new CompletionHandler() {
            private void in() {
                if (inside.getAndIncrement() != 0) {
                    violations.add("two hooks at once");
                }
                Thread.yield();
            }

            @Override
            public void handleCompletion(Completion completion) {
                if (completion.type() == OperationType.SEND) {
                    sent(completion);
                } else {
                    received(completion);
                }
            }

            private void received(Completion completion) {
                in();
                received.add((Integer) completion.token());
                out();
            }

            private void sent(Completion completion) {
                in();
                out();
            }

            private void out() {
                inside.decrementAndGet();
                over.incrementAndGet();
            }
        });
        runBy(THREADS);
        List<OtherThread<Void>> starters = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            starters.add(OtherThread.start(() -> {
                for (int round = 0; round < perThread; round++) {
                    stream.send(heap("x"), null);
                }
                return null;
            }));
        }
        for (int i = 0; i < perThread; i++) {
            stream.receive(ByteBuffer.allocate(1), i);
        }
        connection.far().sendFully(ByteBuffer.allocate(perThread), LIMIT);
        connection.drain(THREADS * perThread);
        for (OtherThread<Void> starter : starters) {
            starter.result();
        }
        OtherThread.await(() -> over.get() == (THREADS + 1) * perThread);
        for (int i = 0; i < perThread; i++) {
            assertEquals(i, received.get(i));
        }
    }

    @Test
    void slowHookDelaysNoOtherHandler() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        recorder.on(OperationType.POST, completion -> {
            begun.countDown();
            OtherThread.await(slow);
        });
        runBy(2);
        proactor.post(recorder, "slow", 0);
        OtherThread.await(begun);
        CompletionRecorder others = recorder("others");
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Connection connection = unix();
            connections.add(connection);
            new AsyncStream(proactor, connection.near(), others).receive(ByteBuffer.allocate(1), i);
        }
        for (Connection connection : connections) {
            connection.send("x");
        }
        proactor.schedule(others, "timer", Duration.ofMillis(1));
        CountDownLatch task = new CountDownLatch(1);
        proactor.execute(task::countDown);
        OtherThread.await(() -> others.over() == 20 && others.timeouts().size() == 1);
        OtherThread.await(task);
        slow.countDown();
        OtherThread.await(() -> proactor.demultiplexer.inFlight() == 0);
    }

    @Test
    void dispatchingThreadsCountsThreadsInHooks() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch one = new CountDownLatch(1);
        CountDownLatch both = new CountDownLatch(2);
        recorder.on(OperationType.POST, completion -> {
            one.countDown();
            both.countDown();
            OtherThread.await(end);
        });
        assertEquals(0, proactor.dispatchingThreads());
        runBy(THREADS);
        OtherThread.await(() -> proactor.dispatchingThreads() == 0);
        proactor.post(recorder, 1, 0);
        OtherThread.await(one);
        OtherThread.await(() -> proactor.dispatchingThreads() == 1);
        proactor.post(recorder, 2, 0);
        OtherThread.await(both);
        OtherThread.await(() -> proactor.dispatchingThreads() == 2);
        end.countDown();
        OtherThread.await(() -> proactor.dispatchingThreads() == 0);
    }

    @Test
    void aHookMayRunTheLoopAndKeepsItsHandle() throws Exception {
        Connection outer = unix();
        Connection other = unix();
        CountDownLatch otherCalled = new CountDownLatch(1);
        AtomicInteger inOuter = new AtomicInteger();
        AsyncStream otherStream = new AsyncStream(proactor, other.near(),
                completion -> otherCalled.countDown());
        AsyncStream[] stream = new AsyncStream[1];
        stream[0] = new AsyncStream(proactor, outer.near(), completion -> {
            if (inOuter.getAndIncrement() != 0) {
                violations.add("a second hook");
            }
            stream[0].receive(ByteBuffer.allocate(1), null);
            if (otherCalled.getCount() > 0) {
                outer.send("y");
                otherStream.receive(ByteBuffer.allocate(1), null);
                other.send("x");
                while (otherCalled.getCount() > 0) {
                    proactor.runOnce(Duration.ofMillis(1));
                }
            } else {
                recorder.handleTimeout("second");
            }
            inOuter.decrementAndGet();
        });
        stream[0].receive(ByteBuffer.allocate(1), null);
        runBy(THREADS);
        outer.send("x");
        OtherThread.await(() -> recorder.timeouts().contains("second"));
    }

    @Test
    void threadsThatAreInsideAreInTheLoop() throws Exception {
        List<Boolean> seen = new ArrayList<>();
        List<LoopRunner> threads = runBy(2);
        assertFalse(proactor.inEventLoop());
        proactor.execute(() -> seen.add(proactor.inEventLoop()));
        threads.forEach(LoopRunner::close);
        // The one who was just leaving may have left it to the next.
        proactor.runOnce(Duration.ZERO);
        assertEquals(List.of(true), seen);
        assertFalse(proactor.inEventLoop());
    }

    @Test
    void throwingHookDoesNotAffectOtherHandles() throws Exception {
        IOException wanted = new IOException("thrown by the test");
        AtomicInteger failures = new AtomicInteger();
        CompletionHandler failing = new CompletionHandler() {
            @Override
            public void handleCompletion(Completion completion) throws IOException {
                throw wanted;
            }

            @Override
            public void handleFailure(Handle handle, Throwable cause) {
                assertSame(wanted, cause);
                failures.incrementAndGet();
                handle.close();
            }
        };
        runBy(THREADS);
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Connection connection = unix();
            connections.add(connection);
            if (i % 2 == 0) {
                new AsyncStream(proactor, connection.near(), failing).receive(ByteBuffer.allocate(1), i);
            } else {
                async(connection.near()).receive(ByteBuffer.allocate(1), i);
            }
        }
        for (Connection connection : connections) {
            connection.send("x");
        }
        OtherThread.await(() -> failures.get() == 10 && recorder.over() == 10);
        recorder.results().forEach(result -> assertEquals(1, result.bytes()));
    }

    @ParameterizedTest
    @EnumSource
    void whateverAHookThrowsEndsNoThread(Throw what) throws Exception {
        List<LoopRunner> threads = runBy(2);
        AtomicInteger thrown = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            proactor.post(completion -> {
                thrown.incrementAndGet();
                what.run();
            }, null, 0);
        }
        // Both are still there: each waits for the other.
        CountDownLatch together = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            proactor.post(completion -> {
                together.countDown();
                OtherThread.await(together);
            }, null, 0);
        }
        OtherThread.await(together);
        OtherThread.await(() -> thrown.get() == 10);
        threads.forEach(LoopRunner::close);
    }

    @Test
    void aTaskThatWaitsInTheLoopHoldsUpNoOther() throws Exception {
        runBy(2);
        assertTaskMayWaitForAnother();
    }
}
