package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ListenOptions;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.Throw;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which hooks several threads call at once, which never, and what changes do meanwhile. */
@Tag(Depth.REPEATED)
@Tag(Depth.IN_QUICK)
class SharedReactorTest extends SharedReactorContract {

    private static final int CONNECTIONS = 24;
    private static final int ROUNDS = CalledSystem.isWindows() ? 5 : Depth.times(6, 20, 60);
    private static final int TASKS = 300;

    private void echoManyConnections() throws Exception {
        List<ExclusiveEchoHandler> echoes = new ArrayList<>();
        List<OtherThread<Void>> clients = new ArrayList<>();
        for (int client = 0; client < CONNECTIONS; client++) {
            Connection connection = own(client % 2 == 0 ? Connection.unix() : Connection.tcp());
            echoes.add(new ExclusiveEchoHandler(reactor, connection, violations));
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
        OtherThread.await(() -> echoes.stream().allMatch(ExclusiveEchoHandler::isOver));
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
                    reactor.runOnce(Duration.ofMillis(10));
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

    /** Sends back what it receives, as the handler of the first program of the README does. */
    private static final class Service extends ServiceHandler {

        private final ByteBuffer buffer = ByteBuffer.allocate(100);

        @Override
        protected void open() throws IOException {
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            if (peer().receive(buffer) == SocketStream.END_OF_STREAM) {
                registration.close();
            } else {
                registration.interest(Interest.WRITE);
            }
        }

        @Override
        public void handleOutput(Registration registration) throws IOException {
            peer().send(buffer.flip());
            if (buffer.compact().position() == 0) {
                registration.interest(Interest.READ);
            }
        }
    }

    @Test
    void anAcceptorGivesItConnectionsAndTheirServices() throws Exception {
        SocketAcceptor socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        AtomicInteger made = new AtomicInteger();
        Acceptor.listen(List.of(reactor), socket, new ListenOptions(), () -> {
            made.incrementAndGet();
            return new Service();
        });
        runBy(THREADS);
        List<OtherThread<Void>> clients = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            clients.add(OtherThread.start(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    try (SocketStream client = SocketConnector.connect(socket.localAddress(), LIMIT)) {
                        exchange(new Connection(client, client), round, 2);
                    }
                }
                return null;
            }));
        }
        for (OtherThread<Void> client : clients) {
            client.result();
        }
        assertEquals(THREADS * ROUNDS, made.get());
    }

    @Test
    void hooksOfDifferentHandlesAreCalledAtOnce() throws Exception {
        runBy(THREADS);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        meet(reactor, THREADS, () -> threads.add(Thread.currentThread()));
        OtherThread.await(() -> threads.size() == THREADS);
    }

    @Test
    void slowHookDelaysNoOtherHandler() throws Exception {
        runBy(2);
        CountDownLatch end = new CountDownLatch(1);
        Recorder slow = beginHook(own(Connection.unix()), end);
        Recorder timer = new Recorder("timer");
        reactor.schedule(timer, null, Duration.ofMillis(1));
        AtomicInteger tasks = new AtomicInteger();
        reactor.execute(tasks::incrementAndGet);
        for (int i = 0; i < 20; i++) {
            Recorder other = reader("other", readablePipe());
            other.register(reactor, Interest.READ);
            OtherThread.await(() -> other.called("input"));
        }
        OtherThread.await(() -> timer.called("timeout") && tasks.get() == 1);
        assertEquals(List.of("input"), slow.calls());
        end.countDown();
    }

    @Test
    void aHandleIsQuietWhileItsHookRunsAndHeardAfterwards() throws Exception {
        runBy(THREADS);
        CountDownLatch end = new CountDownLatch(1);
        Connection connection = own(Connection.unix());
        Recorder slow = beginHook(connection, end);
        connection.send("more");
        slow.registration().interest(Interest.READ_WRITE);
        slow.registration().pause();
        slow.registration().resume();
        meet(reactor, THREADS - 1, () -> { });
        assertEquals(List.of("input"), slow.calls());
        end.countDown();
        OtherThread.await(() -> slow.received() == 5 && slow.called("output"));
        slow.registration().close();
    }

    @Test
    void aHandleThatIsDeactivatedWhileItsHookRunsStaysSilent() throws Exception {
        runBy(2);
        CountDownLatch end = new CountDownLatch(1);
        Connection connection = own(Connection.unix());
        Recorder slow = beginHook(connection, end);
        connection.send("more");
        slow.registration().pause();
        end.countDown();
        meet(reactor, 2, () -> { });
        assertEquals(List.of("input"), slow.calls());
        slow.registration().resume();
        OtherThread.await(() -> slow.received() == 5);
    }

    @Test
    void handleCloseFollowsARunningHookOnItsThread() throws Exception {
        runBy(2);
        for (boolean closes : new boolean[] {false, true}) {
            CountDownLatch end = new CountDownLatch(1);
            Recorder slow = beginHook(own(Connection.unix()), end);
            if (closes) {
                slow.handle().close();
            } else {
                slow.registration().close();
                slow.registration().close();
            }
            assertFalse(slow.registration().isOpen());
            assertEquals(List.of("input"), slow.calls());
            end.countDown();
            OtherThread.await(() -> slow.called("close"));
            assertEquals(List.of("input", "close READ"), slow.calls());
            assertEquals(1, slow.threads().size());
        }
    }

    @Test
    void removalInAHookCallsHandleCloseInside() throws Exception {
        runBy(2);
        Recorder handler = reader("removed", readablePipe());
        List<Integer> closes = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        handler.onInput(() -> {
            handler.registration().close();
            closes.add(handler.count("close"));
            done.countDown();
        });
        handler.register(reactor, Interest.READ);
        OtherThread.await(done);
        assertEquals(List.of(1), closes);
    }

    @Test
    void removerCallsHandleCloseOfIdleHandler() throws Exception {
        runBy(2);
        for (boolean closes : new boolean[] {false, true}) {
            Recorder idle = reader("idle", pipe());
            idle.register(reactor, Interest.READ);
            if (closes) {
                idle.handle().close();
            } else {
                idle.registration().close();
            }
            assertEquals(List.of("close READ"), idle.calls());
            assertEquals(Set.of(Thread.currentThread()), idle.threads());
        }
    }

    @Test
    void aNewHandlerOfTheHandleWaitsForTheHookOfTheOldOne() throws Exception {
        runBy(THREADS);
        CountDownLatch end = new CountDownLatch(1);
        Connection connection = own(Connection.unix());
        Recorder old = beginHook(connection, end);
        connection.send("more");
        old.registration().close();
        // One that never gets its turn.
        Recorder skipped = reader("skipped", connection);
        skipped.register(reactor, Interest.READ);
        skipped.registration().close();
        Recorder successor = reader("successor", connection);
        List<Integer> closesBefore = new CopyOnWriteArrayList<>();
        successor.onInput(() -> closesBefore.add(old.count("close")));
        successor.register(reactor, Interest.READ);
        meet(reactor, THREADS - 1, () -> { });
        assertEquals(List.of(), successor.calls());
        end.countDown();
        OtherThread.await(() -> !closesBefore.isEmpty());
        assertEquals(List.of(1), closesBefore);
        assertEquals(List.of("input", "close READ"), old.calls());
        OtherThread.await(() -> skipped.called("close"));
        assertEquals(List.of("close READ"), skipped.calls());
        connection.send("y");
        OtherThread.await(() -> successor.received() == 5);
    }

    @Test
    void anyNumberOfHandlersMayComeAndGoWhileAHookRuns() throws Exception {
        runBy(2);
        CountDownLatch end = new CountDownLatch(1);
        Connection connection = own(Connection.unix());
        Recorder slow = beginHook(connection, end);
        slow.registration().close();
        AtomicInteger closes = new AtomicInteger();
        for (int i = 0; i < SkippedHandler.MANY; i++) {
            SkippedHandler skipped = new SkippedHandler(slow.handle(), closes);
            skipped.register(reactor, Interest.READ);
            skipped.registration().close();
        }
        end.countDown();
        OtherThread.await(() -> closes.get() == SkippedHandler.MANY);
        meet(reactor, 2, () -> { });
        assertEquals(List.of("input", "close READ"), slow.calls());
        assertEquals(SkippedHandler.MANY, closes.get());
    }

    @Test
    void registerHandlerThrowsItsFailures() throws Exception {
        runBy(2);
        Pipe closed = pipe();
        closed.source().close();
        Recorder late = reader("late", closed);
        assertThrows(HandleClosedException.class, () -> late.register(reactor, Interest.READ));
        Pipe pipe = pipe();
        Recorder first = reader("first", pipe);
        Recorder second = reader("second", pipe);
        first.register(reactor, Interest.READ);
        assertThrows(IllegalStateException.class, () -> second.register(reactor, Interest.READ));
        assertEquals(List.of(), late.calls());
        assertEquals(List.of(), second.calls());
    }

    @Test
    void aHookThatFailsOnAHandleWhoseHookRunsReportsThatAfterwards() throws Exception {
        runBy(2);
        CountDownLatch end = new CountDownLatch(1);
        Connection to = own(Connection.unix());
        Recorder slow = beginHook(to, end);
        Recorder hook = reader("hook", readablePipe());
        hook.onInput(() -> {
            to.far().close();
            // The first may still be taken by the system.
            for (int i = 0; i < 100; i++) {
                to.near().send(ByteBuffer.allocate(1));
            }
        });
        hook.register(reactor, Interest.READ);
        OtherThread.await(() -> !slow.registration().isOpen());
        assertEquals(List.of("input"), slow.calls());
        end.countDown();
        OtherThread.await(() -> slow.called("close"));
        assertEquals(List.of("input", "failure", "close READ"), slow.calls());
        assertInstanceOf(SystemCallException.class, slow.failures().get(0));
        assertTrue(hook.registration().isOpen());
        assertEquals(List.of(), hook.failures());
    }

    @Test
    void hookThatRunsTheLoopIsNotEnteredAgain() throws Exception {
        runBy(THREADS);
        Connection connection = own(Connection.unix());
        Pipe pipe = pipe();
        Recorder other = reader("other", pipe);
        AtomicInteger inside = new AtomicInteger();
        Recorder nesting = reader("nesting", connection);
        nesting.onInput(() -> {
            if (inside.getAndIncrement() != 0) {
                violations.add("entered again");
            }
            if (nesting.received() == 1) {
                connection.send("y");
                for (int i = 0; i < 10; i++) {
                    int expected = other.received() + 1;
                    send(pipe);
                    while (other.received() < expected) {
                        reactor.runOnce(Duration.ofMillis(1));
                    }
                }
                assertEquals(1, nesting.received());
            }
            inside.decrementAndGet();
        });
        other.register(reactor, Interest.READ);
        nesting.register(reactor, Interest.READ);
        connection.send("x");
        OtherThread.await(() -> nesting.received() == 2);
        assertEquals(List.of(), nesting.failures());
    }

    @Test
    void threadsThatAreInsideAreInTheLoop() throws Exception {
        List<Boolean> seen = new ArrayList<>();
        List<LoopRunner> threads = runBy(2);
        assertFalse(reactor.inEventLoop());
        reactor.execute(() -> seen.add(reactor.inEventLoop()));
        threads.forEach(LoopRunner::close);
        // The one who was just leaving may have left it to the next.
        reactor.runOnce(Duration.ZERO);
        assertEquals(List.of(true), seen);
        assertFalse(reactor.inEventLoop());
    }

    @ParameterizedTest
    @EnumSource
    void whateverAHookThrowsEndsNoThread(Throw what) throws Exception {
        List<LoopRunner> threads = runBy(2);
        List<Recorder> failing = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Recorder handler = reader("failing " + i, readablePipe()).onInput(what::run);
            failing.add(handler);
            handler.register(reactor, Interest.READ);
        }
        for (Recorder handler : failing) {
            OtherThread.await(() -> handler.called("close"));
            assertEquals(List.of("input", "failure", "close READ"), handler.calls());
            assertSame(what.thrown().getClass(), handler.failures().get(0).getClass());
        }
        // Both are still there.
        meet(reactor, 2, () -> { });
        threads.forEach(LoopRunner::close);
    }

    @Test
    void hookThatClosesAndThrowsGetsOneCallOfEach() throws Exception {
        runBy(2);
        Recorder handler = reader("failing", readablePipe());
        handler.onInput(() -> {
            handler.handle().close();
            throw new IOException("thrown by the test");
        });
        handler.register(reactor, Interest.READ);
        OtherThread.await(() -> handler.called("failure"));
        meet(reactor, 2, () -> { });
        assertEquals(1, handler.count("close"));
        assertEquals(1, handler.count("failure"));
    }

    @Test
    void aTaskThatWaitsInTheLoopHoldsUpNoOther() throws Exception {
        runBy(2);
        assertTaskMayWaitForAnother();
    }

    @Test
    void tasksRunOnceEachThoughSomeOfThemWaitInTheLoop() throws Exception {
        AtomicIntegerArray runs = new AtomicIntegerArray(TASKS);
        runBy(THREADS);
        for (int i = 0; i < TASKS; i++) {
            int task = i;
            reactor.execute(() -> {
                runs.incrementAndGet(task);
                if (task % 3 == 0) {
                    runInside(Duration.ofNanos(1));
                }
            });
        }
        OtherThread.await(() -> IntStream.range(0, TASKS).allMatch(task -> runs.get(task) > 0));
        reactor.close();
        IntStream.range(0, TASKS).forEach(task -> assertEquals(1, runs.get(task)));
    }
}
