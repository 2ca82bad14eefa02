package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Operations of any thread, and several proactors. */
@Tag(Depth.IN_QUICK)
class ProactorThreadsTest extends ProactorContract {

    private static final int THREADS = 4;
    private static final int ROUNDS = CalledSystem.times(Depth.times(300, 600, 1_500));

    @Test
    void whatOthersStartBeforeTheLoopRunsIsDone() throws Exception {
        Connection connection = unix();
        OtherThread.run(() -> {
            AsyncStream stream = async(connection.near());
            stream.send(heap("early"), "send");
            stream.receive(ByteBuffer.allocate(8), "receive");
        });
        connection.send("x");
        LoopRunner loop = runInBackground();
        OtherThread.await(() -> recorder.over() == 2);
        recorder.results().forEach(each -> assertSame(loop.thread(), each.thread()));
        assertEquals("early", receive(connection, 5));
    }

    @Test
    void whatOthersStartEndsTheWait() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        runInBackground();
        for (int i = 0; i < 500; i++) {
            int round = i;
            stream.send(heap("x"), i);
            assertEquals("x", receive(connection, 1));
            OtherThread.await(() -> recorder.isOver(round));
        }
    }

    @Test
    void manyThreadsStartOnOneStream() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        runInBackground();
        AtomicInteger completed = new AtomicInteger();
        CompletionHandler counter = completion -> {
            assertTrue(completion.isSuccess());
            completed.incrementAndGet();
        };
        List<OtherThread<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(OtherThread.start(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    stream.sendFuture(heap("x")).thenRun(completed::incrementAndGet);
                    proactor.post(counter, null, 0);
                }
                return null;
            }));
        }
        connection.drain(THREADS * ROUNDS);
        for (OtherThread<Void> thread : threads) {
            thread.result();
        }
        OtherThread.await(() -> completed.get() == 2 * THREADS * ROUNDS);
    }

    @Test
    void whatOthersStartWhileItClosesEitherComesBackOrIsRefused() throws Exception {
        for (int round = 0; round < 20; round++) {
            Proactor racing = own(Proactor.open(demultiplexer));
            Connection connection = unix();
            AtomicInteger over = new AtomicInteger();
            AsyncStream stream = new AsyncStream(racing, connection.near(),
                    completion -> over.incrementAndGet());
            LoopRunner loop = new LoopRunner(racing);
            AtomicInteger started = new AtomicInteger();
            OtherThread<Void> starter = OtherThread.start(() -> {
                try {
                    while (true) {
                        stream.receive(ByteBuffer.allocate(1), null);
                        started.incrementAndGet();
                    }
                } catch (IllegalStateException e) {
                    return null;
                }
            });
            OtherThread.await(() -> started.get() > 0);
            racing.close();
            starter.result();
            loop.join();
            assertEquals(started.get(), over.get());
        }
    }

    @Test
    void severalProactorsLiveSideBySide() throws Exception {
        List<CompletionRecorder> recorders = new ArrayList<>();
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Proactor each = own(Proactor.open(demultiplexer));
            CompletionRecorder own = recorder("recorder " + i);
            Connection connection = unix();
            new AsyncStream(each, connection.near(), own).receive(ByteBuffer.allocate(8), i);
            own(new LoopRunner(each));
            recorders.add(own);
            connections.add(connection);
        }
        for (int i = 0; i < 3; i++) {
            int index = i;
            connections.get(i).send("x");
            OtherThread.await(() -> recorders.get(index).isOver(index));
        }
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void aStreamMayBelongToTwoProactors() throws Exception {
        Connection connection = unix();
        Proactor other = own(Proactor.open(demultiplexer));
        own(new LoopRunner(other));
        CompletionRecorder sender = recorder("sender");
        async(connection.near()).receive(ByteBuffer.allocate(8), "receive");
        new AsyncStream(other, connection.near(), sender).send(heap("x"), "send");
        OtherThread.await(() -> sender.isOver("send"));
        connection.send("y");
        assertEquals(1, result("receive").bytes());
    }

    /** Sends back what it receives, until the end of the stream. */
    private static final class Echo implements CompletionHandler {

        private final AsyncStream stream;
        private final AtomicInteger ended;
        private final Thread[] thread = new Thread[1];

        Echo(Proactor proactor, Connection connection, AtomicInteger ended) throws IOException {
            this.stream = new AsyncStream(proactor, connection.near(), this);
            this.ended = ended;
            stream.receiveContinuously(null);
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
            if (thread[0] == null) {
                thread[0] = Thread.currentThread();
            }
            assertSame(thread[0], Thread.currentThread());
            if (completion.isLast()) {
                ended.addAndGet(completion.isEndOfStream() ? 1 : 0);
            } else {
                RetainedBuffer received = completion.buffer().retain();
                stream.send(received.bytes(), received);
            }
        }

        private void sent(Completion completion) {
            ((RetainedBuffer) completion.token()).close();
        }
    }

    @Test
    void aGroupServesManyConnectionsAtOnce() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        ProactorGroup group = own(Proactors.group(demultiplexer, THREADS));
        assertEquals(THREADS, group.loops().size());
        List<OtherThread<Void>> clients = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            List<Connection> connections = new ArrayList<>();
            for (Proactor each : group.loops()) {
                assertSame(each, group.next());
                Connection connection = unix();
                connections.add(connection);
                new Echo(each, connection, ended);
            }
            clients.add(OtherThread.start(() -> {
                for (int round = 0; round < 200; round++) {
                    for (Connection connection : connections) {
                        connection.send("round " + round);
                    }
                    for (Connection connection : connections) {
                        String expected = "round " + round;
                        assertEquals(expected, receive(connection, expected.length()));
                    }
                }
                connections.forEach(connection -> connection.far().close());
                return null;
            }));
        }
        for (OtherThread<Void> client : clients) {
            client.result();
        }
        OtherThread.await(() -> ended.get() == THREADS * THREADS);
    }

    @Test
    void aGroupIsClosedByOneOfItsThreads() throws Exception {
        ProactorGroup group = own(Proactors.group(demultiplexer, THREADS));
        AtomicInteger cancelled = new AtomicInteger();
        for (Proactor each : group.loops()) {
            new AsyncStream(each, unix().near(), completion ->
                    cancelled.addAndGet(completion.isCancelled() ? 1 : 0))
                    .receive(ByteBuffer.allocate(1), null);
        }
        AtomicInteger closed = new AtomicInteger();
        group.loops().get(1).execute(() -> {
            group.close();
            closed.incrementAndGet();
        });
        OtherThread.await(() -> closed.get() == 1);
        group.close();
        assertEquals(THREADS, cancelled.get());
        assertThrows(IllegalStateException.class, () -> group.next().post(recorder, null, 0));
    }

    @Test
    void aGroupIsClosedThoughOneOfItsThreadsHasJustLeft() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ProactorGroup group = own(Proactors.group(demultiplexer, 2, work -> new Thread(() -> {
            work.run();
            left.countDown();
            OtherThread.await(end);
        })));
        group.loops().get(0).execute(() -> {
            busy.countDown();
            OtherThread.await(proceed);
        });
        Proactor stopped = group.loops().get(1);
        new AsyncStream(stopped, unix().near(), recorder).receive(ByteBuffer.allocate(1), "receive");
        OtherThread.await(busy);
        OtherThread<Void> closer = OtherThread.start(() -> {
            group.close();
            return null;
        });
        OtherThread.awaitWaiting(closer.thread());
        stopped.stop();
        OtherThread.await(left);
        proceed.countDown();
        OtherThread.await(() -> recorder.isOver("receive") || !closer.thread().isAlive());
        end.countDown();
        closer.result();
        assertTrue(recorder.last("receive").isCancelled());
    }

    @Test
    void aGroupNeedsAThread() {
        assertThrows(IllegalArgumentException.class, () -> Proactors.group(demultiplexer, 0));
        assertThrows(IllegalArgumentException.class, () -> Proactors.group("none", 1));
    }
}
