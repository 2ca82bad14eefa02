package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.leaderfollowers.HandleSetSource;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.MultipleLeadersPool;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Reactors;
import dev.sluice.reactor.Registration;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Acceptor, Connector and service handlers where several threads dispatch. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("dev.sluice.connection.SeveralThreadsTest#dispatchers")
class SeveralThreadsTest extends LeakChecked {

    private static final Duration LIMIT = EventLoopContract.LIMIT;
    private static final int THREADS = 4;
    /** How many times of different length attempts to connect have. */
    private static final int TIMES = 20;

    /** What runs the threads. */
    enum Threads { POOL_WITH_LEADER, POOL_WITHOUT_LEADER, SEVERAL_LEADERS, SHARED_REACTOR }

    @Parameter(0)
    String demultiplexer;
    @Parameter(1)
    Threads kind;

    private final Set<String> violations = ConcurrentHashMap.newKeySet();
    private final List<Conversation> conversations = new CopyOnWriteArrayList<>();
    private Dispatcher dispatcher;
    private AutoCloseable closing;

    static Stream<Arguments> dispatchers(TestInfo test) {
        return HandleSet.ofPools(test).flatMap(set -> Stream.of(Threads.values())
                .filter(threads -> set.hasLeader()
                        == (threads == Threads.POOL_WITH_LEADER || threads == Threads.SEVERAL_LEADERS))
                .map(threads -> Arguments.of(set.demultiplexer(), threads)));
    }

    @BeforeEach
    void start() throws IOException {
        OtherThread.Action work;
        if (kind == Threads.SHARED_REACTOR) {
            Reactor reactor = Reactors.on(OpenedDemultiplexers.openSynchronous(demultiplexer), TimerQueue.heap(),
                    HandleSetKind.CONCURRENT);
            dispatcher = reactor;
            closing = reactor;
            work = reactor::run;
        } else {
            MultipleLeadersPool pool;
            if (kind == Threads.SEVERAL_LEADERS) {
                HandleSetSource source = HandleSetSource.open(demultiplexer, false);
                pool = new MultipleLeadersPool(PromotionOrder.LIFO,
                        List.of(source, HandleSetSource.open("auto")));
                dispatcher = source;
            } else {
                LeaderFollowersPool only = LeaderFollowersPool.open(demultiplexer, PromotionOrder.LIFO,
                        kind != Threads.POOL_WITH_LEADER);
                pool = only;
                dispatcher = only;
            }
            closing = pool;
            work = pool::join;
        }
        List<OtherThread<Void>> threads = new ArrayList<>();
        own(() -> {
            for (OtherThread<Void> thread : threads) {
                thread.result();
            }
            assertEquals(Set.of(), violations);
        });
        own(() -> OtherThread.run(closing::close));
        for (int i = 0; i < THREADS; i++) {
            threads.add(OtherThread.start(() -> {
                try {
                    work.run();
                } catch (IllegalStateException e) {
                    // Too late: a reactor that is closed already.
                    if (dispatcher.isOpen()) {
                        throw e;
                    }
                }
                return null;
            }));
        }
    }

    /** Echoes, and notes if two of its hooks are called at once. */
    private class Conversation extends ServiceHandler {

        private final AtomicBoolean inside = new AtomicBoolean();
        private final ByteBuffer buffer = ByteBuffer.allocate(64);
        final List<String> calls = new CopyOnWriteArrayList<>();
        volatile Throwable failure;

        Conversation() {
            conversations.add(this);
        }

        void begin(String hook) {
            if (!inside.compareAndSet(false, true)) {
                violations.add(hook + " during another hook");
            }
        }

        void end() {
            inside.set(false);
        }

        @Override
        protected void open() throws Exception {
            begin("open");
            try {
                // Not before: the thread that waits for this may then remove the handler.
                calls.add("open");
                // What is there already is reported to another thread, if this one does not keep it.
                Thread.yield();
                opened();
            } finally {
                end();
            }
        }

        void opened() throws Exception {
        }

        @Override
        protected void connectFailed(Throwable cause) {
            failure = cause;
            calls.add("connectFailed");
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            begin("input");
            try {
                int received = peer().receive(buffer.clear());
                if (received < 0) {
                    registration.close();
                } else {
                    peer().send(buffer.flip());
                }
            } finally {
                end();
            }
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            begin("failure");
            failure = cause;
            calls.add("failure");
            end();
        }

        @Override
        public void handleClose(Registration registration) {
            if (kind != Threads.SHARED_REACTOR && inside.get()) {
                violations.add("close during another hook");
            }
            registration.handle().close();
            calls.add("close");
        }

        boolean isClosed() {
            return calls.contains("close");
        }
    }

    private SocketAcceptor listen() throws IOException {
        return own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
    }

    private static void assertEcho(SocketStream client) throws IOException {
        client.sendFully(ByteBuffer.wrap("echo".getBytes()), LIMIT);
        ByteBuffer answer = ByteBuffer.allocate(4);
        assertTrue(client.receiveFully(answer, LIMIT));
        assertEquals("echo", new String(answer.array()));
    }

    @Test
    void acceptsAndServes() throws Exception {
        SocketAcceptor socket = listen();
        Acceptor.listen(List.of(dispatcher), socket, new ListenOptions(), Conversation::new);
        int clients = CalledSystem.times(50);
        for (int i = 0; i < clients; i++) {
            try (SocketStream client = SocketConnector.connect(socket.localAddress(), LIMIT)) {
                assertEcho(client);
                assertEcho(client);
            }
        }
        OtherThread.await(() -> conversations.stream().filter(Conversation::isClosed).count() == clients);
        for (Conversation each : conversations) {
            assertSame(dispatcher, each.dispatcher());
            assertEquals(List.of("open", "close"), each.calls);
        }
    }

    /** What has been sent already is ready when the service registers, long before it has opened. */
    @Test
    void noHookIsCalledBeforeTheServiceHasOpened() throws Exception {
        SocketAcceptor socket = listen();
        CountDownLatch proceed = new CountDownLatch(1);
        CountDownLatch opening = new CountDownLatch(1);
        Acceptor.listen(List.of(dispatcher), socket, new ListenOptions(), () -> new Conversation() {
            @Override
            void opened() {
                opening.countDown();
                OtherThread.await(proceed);
            }
        });
        SocketStream client = own(SocketConnector.connect(socket.localAddress(), LIMIT));
        client.sendFully(ByteBuffer.wrap("echo".getBytes()), LIMIT);
        OtherThread.await(opening);
        // Other threads dispatch in the meantime: with a hook of this connection they would have begun.
        for (int i = 0; i < 3; i++) {
            CountDownLatch fired = new CountDownLatch(1);
            dispatcher.schedule(token -> fired.countDown(), null, Duration.ofMillis(5));
            OtherThread.await(fired);
        }
        proceed.countDown();
        ByteBuffer answer = ByteBuffer.allocate(4);
        assertTrue(client.receiveFully(answer, LIMIT));
    }

    @Test
    void aServiceThatRegistersAndThenThrowsHearsOfTheCloseOnce() throws Exception {
        SocketAcceptor socket = listen();
        for (boolean removes : new boolean[] {false, true}) {
            Conversation service = new Conversation() {
                @Override
                void opened() throws IOException {
                    if (removes) {
                        registration().close();
                    }
                    end();
                    throw new IOException("thrown by the test");
                }
            };
            Connector.connect(dispatcher, socket.localAddress(), LIMIT, service);
            own(socket.accept(LIMIT));
            OtherThread.await(() -> service.isClosed() && service.calls.contains("failure"));
            CountDownLatch later = new CountDownLatch(1);
            dispatcher.schedule(token -> later.countDown(), null, Duration.ofMillis(20));
            OtherThread.await(later);
            assertEquals(3, service.calls.size(), service.calls::toString);
            assertFalse(service.peer().handle().isOpen());
        }
    }

    @Test
    void connectsOrIsRefused() throws Exception {
        SocketAcceptor socket = listen();
        Acceptor.listen(List.of(dispatcher), socket, new ListenOptions(), Conversation::new);
        InetSocketAddress unused;
        try (SocketAcceptor closed = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0))) {
            unused = (InetSocketAddress) closed.localAddress();
        }
        int rounds = CalledSystem.times(40);
        for (int i = 0; i < rounds; i++) {
            Conversation connected = new Conversation();
            Conversation refused = new Conversation();
            Connector.connect(dispatcher, socket.localAddress(), LIMIT, connected);
            Connector.connect(dispatcher, unused, LIMIT, refused);
            OtherThread.await(() -> !connected.calls.isEmpty() && !refused.calls.isEmpty());
            assertEquals(List.of("open"), connected.calls);
            assertEquals(List.of("connectFailed"), refused.calls);
            assertInstanceOf(SystemCallException.class, refused.failure);
            connected.registration().close();
            OtherThread.await(connected::isClosed);
        }
    }

    /** The connection, the end of the time and the cancellation come at the same moment, as nearly as can be. */
    @Test
    void anAttemptHasOneOutcome() throws Exception {
        SocketAcceptor socket = listen();
        Acceptor.listen(List.of(dispatcher), socket, new ListenOptions(), Conversation::new);
        int attempts = Math.max(TIMES, CalledSystem.times(200));
        for (int i = 0; i < attempts; i++) {
            Conversation service = new Conversation();
            Connector.connect(dispatcher, socket.localAddress(), Duration.ofNanos(i % TIMES * 20_000L), service);
            if (i % 3 == 0) {
                service.close();
                OtherThread.await(() -> service.isClosed() || service.calls.contains("connectFailed"));
            }
            OtherThread.await(() -> !service.calls.isEmpty());
            if (service.isClosed()) {
                // The connection was established before it was closed.
                assertEquals("close", service.calls.get(service.calls.size() - 1));
            } else if (service.calls.contains("open")) {
                // A timeout or a cancellation that comes too late must not end the registration of the service.
                assertTrue(service.registration().isOpen());
                service.registration().close();
                OtherThread.await(service::isClosed);
                assertEquals(List.of("open", "close"), service.calls);
            } else {
                assertEquals(List.of("connectFailed"), service.calls);
                assertTrue(service.failure instanceof IOException
                        || service.failure instanceof CancellationException, () -> "" + service.failure);
            }
        }
    }

    @Test
    void handsOverInAHook() throws Exception {
        SocketAcceptor socket = listen();
        Conversation next = new Conversation();
        Acceptor.listen(List.of(dispatcher), socket, new ListenOptions(), () -> new Conversation() {
            @Override
            public void handleInput(Registration registration) throws IOException {
                peer().receive(ByteBuffer.allocate(1));
                handOver(next);
            }
        });
        SocketStream client = own(SocketConnector.connect(socket.localAddress(), LIMIT));
        client.sendFully(ByteBuffer.wrap("!".getBytes()), LIMIT);
        assertEcho(client);
        client.close();
        OtherThread.await(next::isClosed);
        assertEquals(List.of("open", "close"), next.calls);
        assertEquals(List.of("open"), conversations.get(1).calls);
    }

    @Test
    void tasksAreRunUntilTheClose() throws Exception {
        CountDownLatch ran = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            dispatcher.execute(() -> {
                ran.countDown();
                throw new IllegalStateException("thrown by the test");
            });
        }
        OtherThread.await(ran);
        OtherThread.run(closing::close);
        assertFalse(dispatcher.isOpen());
        assertThrows(RejectedExecutionException.class, () -> dispatcher.execute(() -> { }));
    }
}
