package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.ReactorContract;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class AcceptorTest extends ReactorContract {

    private final List<Service> services = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private SocketAcceptor socket;
    private SocketAddress address;

    @BeforeEach
    void listen() throws IOException {
        socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        address = socket.localAddress();
    }

    private Service service() {
        Service service = new Service();
        services.add(service);
        return service;
    }

    private Acceptor acceptor(List<Reactor> targets, Supplier<Service> factory) throws IOException {
        return Acceptor.listen(targets, socket, new ListenOptions().onFailure(failures::add), factory);
    }

    private Acceptor acceptor(Supplier<Service> factory) throws IOException {
        return acceptor(List.of(reactor), factory);
    }

    private SocketStream connect() throws IOException {
        return own(SocketConnector.connect(address, LIMIT));
    }

    private static void assertEcho(SocketStream client) throws IOException {
        client.sendFully(ByteBuffer.wrap("echo".getBytes()), LIMIT);
        ByteBuffer answer = ByteBuffer.allocate(4);
        assertTrue(client.receiveFully(answer, LIMIT));
        assertEquals("echo", new String(answer.array()));
    }

    private static void assertEnded(SocketStream client) throws IOException {
        assertFalse(client.receiveFully(ByteBuffer.allocate(1), LIMIT), "a byte instead of the end");
    }

    @Test
    void makesAServiceOfEachConnection() throws Exception {
        acceptor(this::service);
        LoopRunner loop = runInBackground();
        for (int i = 0; i < 5; i++) {
            SocketStream client = connect();
            assertEcho(client);
            Service service = services.get(i);
            assertSame(loop.thread(), service.thread());
            assertSame(reactor, service.dispatcher());
            assertEquals(client.localAddress(), service.peer().remoteAddress());
            client.close();
            OtherThread.await(service::isClosed);
            assertEquals(List.of("open", "close"), service.calls());
        }
        assertEquals(List.of(), failures);
    }

    @Test
    void acceptsWhatHasWaitedInTheBacklog() throws Exception {
        assumeTakesManyHandles();
        List<SocketStream> clients = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            clients.add(connect());
        }
        acceptor(this::service);
        runUntil(() -> services.size() == 150);
        runUntil(() -> services.stream().allMatch(Service::isOpened));
        clients.forEach(SocketStream::close);
        runUntil(() -> services.stream().allMatch(Service::isClosed));
    }

    @Test
    void lendsTheLoopToOthersWhileManyConnectionsWait() throws Exception {
        for (int i = 0; i < 150; i++) {
            connect();
        }
        List<Integer> accepted = new ArrayList<>();
        acceptor(() -> {
            if (services.isEmpty()) {
                reactor.execute(() -> accepted.add(services.size()));
            }
            return service();
        });
        runUntil(() -> services.size() == 150 && !accepted.isEmpty());
        assertTrue(accepted.get(0) < 150, accepted::toString);
    }

    @Test
    void handsConnectionsOutInTurn() throws Exception {
        List<Reactor> targets = new ArrayList<>(List.of(reactor));
        List<LoopRunner> loops = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Reactor target = own(Reactor.open(demultiplexer));
            targets.add(target);
            loops.add(own(new LoopRunner(target)));
        }
        acceptor(targets, this::service);
        loops.add(0, runInBackground());
        for (int i = 0; i < 9; i++) {
            assertEcho(connect());
            assertSame(targets.get(i % 3), services.get(i).dispatcher());
            assertSame(loops.get(i % 3).thread(), services.get(i).thread());
        }
    }

    @Test
    void skipsClosedReactors() throws Exception {
        Reactor gone = Reactor.open(demultiplexer);
        acceptor(List.of(reactor, gone), this::service);
        runInBackground();
        gone.close();
        assertEcho(connect());
        assertEcho(connect());
    }

    @Test
    void closesTheConnectionForWhichTheDistributionChoosesNoReactor() throws Exception {
        int[] next = {-1};
        Acceptor.listen(List.of(reactor), socket, new ListenOptions().distribution((connection, loops) -> next[0]++),
                this::service);
        runInBackground();
        assertEnded(connect());
        assertEcho(connect());
        assertEquals(List.of(), services.get(0).calls());
    }

    @Test
    void survivesAFactoryThatThrows() throws Exception {
        int[] asked = new int[1];
        acceptor(() -> {
            if (asked[0]++ == 0) {
                throw new IllegalStateException("thrown by the test");
            }
            return service();
        });
        runInBackground();
        assertEnded(connect());
        assertEcho(connect());
        assertEquals(List.of(), failures);
    }

    @Test
    void survivesAFactoryThatMakesNothing() throws Exception {
        Reactor other = own(Reactor.open(demultiplexer));
        own(new LoopRunner(other));
        int[] asked = new int[1];
        acceptor(List.of(reactor, other), () -> asked[0]++ < 2 ? null : service());
        runInBackground();
        assertEnded(connect());
        assertEnded(connect());
        assertEcho(connect());
    }

    @Test
    void closesTheConnectionOfAServiceThatCannotOpen() throws Exception {
        Reactor other = own(Reactor.open(demultiplexer));
        own(new LoopRunner(other));
        IOException failure = new IOException("thrown by the test");
        acceptor(List.of(reactor, other), () -> service().onOpen(() -> {
            throw failure;
        }));
        runInBackground();
        for (int i = 0; i < 4; i++) {
            assertEnded(connect());
            Service service = services.get(i);
            OtherThread.await(service::isClosed);
            assertFalse(service.peer().handle().isOpen());
            assertEquals(List.of("open", "failure", "close"), service.calls());
            assertEquals(List.of(failure), service.failures());
        }
        assertEquals(List.of(), failures);
    }

    @Test
    void closesTheConnectionIfItsReactorCannotCallTheService() throws Exception {
        Dispatcher poor = OutOfMemoryDispatcher.of(reactor, new OutOfMemoryError("thrown by the test"));
        Acceptor.listen(List.of(poor), socket, new ListenOptions(), this::service);
        runInBackground();
        assertEnded(connect());
        assertEcho(connect());
        assertEquals(List.of(), services.get(0).calls());
        assertNull(services.get(0).peer());
    }

    @Test
    void closesTheConnectionOfAServiceThatHasOne() throws Exception {
        Reactor other = own(openAnother());
        own(new LoopRunner(other));
        runInBackground();
        for (Distribution distribution : List.<Distribution>of((one, loops) -> 0, (one, loops) -> 1)) {
            Service service = new Service();
            SocketAcceptor listening = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
            Acceptor.listen(List.of(reactor, other), listening, new ListenOptions().distribution(distribution),
                    () -> service);
            try (SocketStream client = SocketConnector.connect(listening.localAddress(), LIMIT)) {
                OtherThread.await(service::isOpened);
                SocketStream peer = service.peer();
                assertEnded(own(SocketConnector.connect(listening.localAddress(), LIMIT)));
                assertSame(peer, service.peer());
                assertTrue(peer.handle().isOpen());
            }
            OtherThread.await(service::isClosed);
            assertEquals(List.of("open", "close"), service.calls());
        }
    }

    @Test
    void aServiceWhoseConnectionIsClosedMayHaveAnother() throws Exception {
        Service service = new Service();
        acceptor(() -> service);
        runInBackground();
        for (int i = 1; i <= 2; i++) {
            int closed = 2 * i;
            SocketStream client = connect();
            assertEcho(client);
            client.close();
            OtherThread.await(() -> service.calls().size() == closed);
        }
        assertEquals(List.of("open", "close", "open", "close"), service.calls());
    }

    @Test
    void aHandOverToAServiceThatHasAConnectionIsRefused() throws Exception {
        acceptor(() -> {
            Service service = service();
            return services.size() == 1 ? service : service.onOpen(() -> {
                assertThrows(IllegalStateException.class, () -> service.handOver(services.get(0)));
                assertThrows(IllegalStateException.class, () -> service.handOver(service));
            });
        });
        runInBackground();
        SocketStream first = connect();
        assertEcho(first);
        assertEcho(connect());
        assertEcho(first);
        assertEquals(List.of(), services.get(1).failures());
    }

    @Test
    void closesTheConnectionOfAServiceThatThrows() throws Exception {
        acceptor(() -> {
            Service service = service();
            return service.onOpen(() -> {
                throw new IOException("thrown by the test");
            });
        });
        runInBackground();
        assertEnded(connect());
        OtherThread.await(services.get(0)::isClosed);
        assertEquals(List.of("open", "failure", "close"), services.get(0).calls());
    }

    @Test
    void aHandOverThatIsRefusedLeavesTheConnectionWhereItIs() throws Exception {
        assumeFalse(isShared(), "only a loop of one thread has a loop thread");
        Service next = new Service();
        acceptor(() -> {
            Service service = service();
            return service.onOpen(() -> {
                // By another thread than the loop thread.
                OtherThread.run(() -> assertThrows(IllegalStateException.class, () -> service.handOver(next)));
                assertNull(next.peer());
                assertNull(next.dispatcher());
                assertNull(next.registration());
            });
        });
        runInBackground();
        assertEcho(connect());
        assertEquals(List.of(), services.get(0).failures());
        assertEquals(List.of(), next.calls());
    }

    @Test
    void isNotAffectedByClientsThatCloseBeforeTheyAreAccepted() throws Exception {
        WineDifference.ACCEPT_FAILS_AFTER_RESET.assumeAbsent();
        for (int i = 0; i < 10; i++) {
            SocketStream client = connect();
            client.setOption(NativeSocketOptions.SO_LINGER, 0);
            client.close();
        }
        acceptor(this::service);
        runInBackground();
        assertEcho(connect());
        assertEquals(List.of(), failures);
    }

    @Test
    void leavesNoDescriptorOf2000Connections() throws Exception {
        acceptor(this::service);
        runInBackground();
        for (int round = 0; round < 40; round++) {
            List<SocketStream> clients = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                clients.add(SocketConnector.connect(address, LIMIT));
            }
            clients.forEach(SocketStream::close);
            int expected = (round + 1) * 50;
            OtherThread.await(() -> services.size() == expected);
            for (Service service : services.subList(expected - 50, expected)) {
                OtherThread.await(service::isClosed);
            }
        }
        for (Service service : services) {
            assertEquals(List.of("open", "close"), service.calls());
            assertFalse(service.peer().handle().isOpen());
        }
    }

    @Test
    void isClosedByAnotherThread() throws Exception {
        Acceptor acceptor = acceptor(this::service);
        LoopRunner loop = runInBackground();
        SocketStream client = connect();
        assertEcho(client);
        acceptor.close();
        acceptor.close();
        SystemCallException refused = assertThrows(SystemCallException.class, () -> {
            // The descriptor is closed when the last thread inside of a call on it has left.
            while (true) {
                SocketConnector.connect(address, LIMIT).close();
            }
        });
        assertTrue(refused.getMessage().contains("ECONN"), refused::getMessage);
        assertEcho(client);
        loop.close();
        runUntilIdle();
        assertEquals(List.of(), failures);
    }

    @Test
    void isClosedByAServiceWhileMoreConnectionsWait() throws Exception {
        for (int i = 0; i < 3; i++) {
            connect();
        }
        Acceptor[] acceptor = new Acceptor[1];
        acceptor[0] = acceptor(() -> {
            acceptor[0].close();
            return service();
        });
        runUntil(() -> services.size() == 1);
        runUntilIdle();
        assertEquals(1, services.size());
        assertFalse(socket.handle().isOpen());
        assertEquals(List.of(), failures);
    }

    @Test
    void isClosedWithItsReactor() throws Exception {
        acceptor(this::service);
        reactor.close();
        assertFalse(socket.handle().isOpen());
    }

    @Test
    void acceptsNoMoreThanThereArePlaces() throws Exception {
        // Those of the second loop are not open until it runs.
        Reactor other = own(openAnother());
        for (int i = 0; i < 5; i++) {
            connect();
        }
        Acceptor.listen(List.of(reactor, other), socket,
                new ListenOptions().connections(new Connections().limit(2)), this::service);
        runUntil(() -> services.size() == 2);
        runUntilIdle();
        for (int i = 0; i < 3; i++) {
            own(socket.accept(LIMIT));
        }
        assertNull(socket.accept());
        assertEquals(2, services.size());
    }

    @Test
    void refusesClientsAtTheLimit() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        Acceptor acceptor = Acceptor.listen(List.of(reactor), socket, new ListenOptions().onRefusal(stream -> {
            assertTrue(stream.handle().isOpen());
            if (refused.getAndIncrement() == 1) {
                throw new IllegalStateException("thrown by the test");
            }
        }).connections(new Connections().limit(1)), this::service);
        runInBackground();
        SocketStream first = connect();
        assertEcho(first);
        for (int i = 0; i < 3; i++) {
            assertEnded(connect());
        }
        assertEquals(3, refused.get());
        assertEquals(1, acceptor.connections().count());
        first.close();
        OtherThread.await(() -> acceptor.connections().count() == 0);
        assertEcho(connect());
    }

    /** Its handler would otherwise be called by two threads. */
    @Test
    void servesByTheLoopThreadAlone() throws Exception {
        assumeFalse(isShared(), "only a loop of one thread has a loop thread");
        SocketAcceptor another = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        Acceptor acceptor = acceptor(this::service);
        SocketStream client = own(SocketConnector.connect(another.localAddress(), LIMIT));
        SocketStream stream = own(another.accept(LIMIT));
        runUntilIdle();
        OtherThread.run(() -> acceptor.serve(stream));
        assertEnded(client);
        assertEquals(List.of(), services.get(0).calls());
        assertEquals(0, acceptor.connections().count());
    }

    @Test
    void closesTheConnectionIfItsFactoryMakesNone() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        acceptor(() -> calls.getAndIncrement() == 0 ? null : service());
        runInBackground();
        assertEnded(connect());
        assertEcho(connect());
    }

    @Test
    void closesTheConnectionsThatItsFilterRejects() throws Exception {
        int[] asked = new int[1];
        Acceptor acceptor = Acceptor.listen(List.of(reactor), socket, new ListenOptions().filter(stream -> {
            assertTrue(stream.handle().isOpen());
            if (asked[0]++ == 1) {
                throw new IllegalStateException("thrown by the test");
            }
            return asked[0] > 2;
        }).connections(new Connections().limit(1)), this::service);
        runInBackground();
        assertEnded(connect());
        assertEnded(connect());
        assertEcho(connect());
        assertEquals(3, asked[0]);
        assertEquals(1, acceptor.connections().count());
    }

    @Test
    void servesWhatTheProgramHasAccepted() throws Exception {
        SocketAcceptor another = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        Acceptor acceptor = Acceptor.listen(List.of(reactor), socket,
                new ListenOptions().connections(new Connections().limit(1)), this::service);
        SocketStream client = own(SocketConnector.connect(another.localAddress(), LIMIT));
        own(SocketConnector.connect(another.localAddress(), LIMIT));
        acceptor.close();
        List<Boolean> served = new CopyOnWriteArrayList<>();
        reactor.execute(() -> {
            for (int i = 0; i < 2; i++) {
                try {
                    served.add(acceptor.serve(own(another.accept(LIMIT))));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        });
        runInBackground();
        assertEcho(client);
        OtherThread.await(() -> served.size() == 2);
        assertEquals(List.of(true, false), served);
    }

    @Test
    void closesTheSocketIfItCannotListen() throws Exception {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> acceptor(List.of(), this::service));
        assertEquals("listen: no dispatcher to hand connections to", refused.getMessage());
        assertFalse(socket.handle().isOpen());
        SocketAcceptor second = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        assertThrows(NullPointerException.class,
                () -> Acceptor.listen(List.of(reactor), second, new ListenOptions(), null));
        assertFalse(second.handle().isOpen());
        reactor.close();
        SocketAcceptor third = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        assertThrows(IllegalStateException.class,
                () -> Acceptor.listen(List.of(reactor), third, new ListenOptions(), this::service));
        assertFalse(third.handle().isOpen());
    }
}
