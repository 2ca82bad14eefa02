package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.OwnPort;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.ReactorContract;
import dev.sluice.reactor.Recorder;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag(Depth.IN_QUICK)
class ConnectorTest extends ReactorContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);

    @TempDir
    Path directory;

    private SocketAcceptor listen() throws IOException {
        return own(SocketAcceptor.open(ANY_PORT));
    }

    /** {@return an acceptor of Unix domain sockets, or where the system need not have these, of TCP} */
    private SocketAcceptor listenHere() throws IOException {
        return CalledSystem.isWindows() ? listen()
                : own(SocketAcceptor.open(UnixDomainSocketAddress.of(directory.resolve("socket"))));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void connectionToItselfFailsAsRefused() throws Exception {
        OwnPort port = own(OwnPort.install());
        Service service = connect(port.address());
        runUntil(service::isOver);
        assertEquals(List.of("connectFailed"), service.calls());
        assertEquals("ECONNREFUSED", ((SystemCallException) service.failures().get(0)).errorName());
    }

    /** {@return an address on which no socket listens} */
    private static SocketAddress unused() throws IOException {
        try (SocketAcceptor acceptor = SocketAcceptor.open(ANY_PORT)) {
            return acceptor.localAddress();
        }
    }

    /** {@return an acceptor with a backlog that takes no more, so that a further attempt stays under way} */
    private SocketAcceptor fullBacklog() throws IOException {
        SocketAcceptor acceptor = own(SocketAcceptor.unbound(StandardProtocolFamily.INET)).bind(ANY_PORT, 1);
        // Linux takes one more than the backlog says.
        own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
        own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
        boolean full = false;
        while (!full) {
            SocketConnector.Attempt attempt = SocketConnector.initiate(acceptor.localAddress(), null);
            own(attempt.stream());
            full = !isConnectedSoon(attempt);
        }
        return acceptor;
    }

    // The last step of a connection that counts may still be under way, so one more may get through.
    private static boolean isConnectedSoon(SocketConnector.Attempt attempt) throws IOException {
        long end = System.nanoTime() + Duration.ofMillis(200).toNanos();
        boolean connected = attempt.connected();
        while (!connected && System.nanoTime() - end < 0) {
            try {
                attempt.stream().remoteAddress();
                connected = true;
            } catch (SystemCallException e) {
                assertEquals("ENOTCONN", e.errorName());
                Thread.yield();
            }
        }
        return connected;
    }

    private Service connect(SocketAddress address) throws IOException {
        Service service = new Service();
        Connector.connect(reactor, address, LIMIT, service);
        assertEquals(List.of(), service.calls(), "called from within connect");
        runUntil(service::isOver);
        return service;
    }

    private void closeLater(Service service) {
        own(service.peer());
    }

    @Test
    void opensTheServiceWhenTheConnectionIsEstablished() throws Exception {
        SocketAcceptor acceptor = listen();
        Service service = connect(acceptor.localAddress());
        SocketStream peer = own(acceptor.accept(LIMIT));
        assertEquals(List.of("open"), service.calls());
        assertSame(reactor, service.dispatcher());
        assertEquals(peer.remoteAddress(), service.peer().localAddress());
        peer.sendFully(ByteBuffer.wrap("echo".getBytes()), LIMIT);
        runUntil(() -> canReceive(peer, 4));
        peer.close();
        runUntil(service::isClosed);
        assertEquals(List.of("open", "close"), service.calls());
    }

    private final ByteBuffer answer = ByteBuffer.allocate(100);

    private boolean canReceive(SocketStream stream, int count) {
        try {
            // Gives up at once, for the other end is served by this thread.
            stream.receive(answer);
            return answer.position() == count;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void opensTheServiceOfAUnixDomainSocket() throws Exception {
        SocketAcceptor acceptor = listenHere();
        Service service = connect(acceptor.localAddress());
        closeLater(service);
        assertEquals(List.of("open"), service.calls());
        own(acceptor.accept(LIMIT)).close();
        runUntil(service::isClosed);
    }

    @Test
    void isRefused() throws Exception {
        Service service = connect(unused());
        runUntilIdle();
        assertEquals(List.of("connectFailed"), service.calls());
        SystemCallException refused = assertInstanceOf(SystemCallException.class, service.failures().get(0));
        assertEquals("ECONNREFUSED", refused.errorName());
        assertNull(service.peer());
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void isRefusedByAUnixDomainAddressThatIsNotThere() throws Exception {
        Service service = connect(UnixDomainSocketAddress.of(directory.resolve("missing")));
        assertEquals(List.of("connectFailed"), service.calls());
        assertEquals("ENOENT", ((SystemCallException) service.failures().get(0)).errorName());
    }

    @Test
    void doesNotResolve() throws Exception {
        Service service = connect(InetSocketAddress.createUnresolved("unknown.invalid", 7));
        assertEquals(List.of("connectFailed"), service.calls());
        assertInstanceOf(UnknownHostException.class, service.failures().get(0));
    }

    @Test
    void timesOut() throws Exception {
        InetSocketAddress address = (InetSocketAddress) fullBacklog().localAddress();
        Duration timeout = Duration.ofMillis(30);
        long start = System.nanoTime();
        Service service = new Service();
        Connector.connect(reactor, address, timeout, service);
        runUntil(service::isOver);
        assertEquals(List.of("connectFailed"), service.calls());
        assertInstanceOf(SocketTimeoutException.class, service.failures().get(0));
        assertEquals("connect 127.0.0.1:" + address.getPort() + ": no answer within PT0.03S",
                service.failures().get(0).getMessage());
        assertTrue(System.nanoTime() - start >= timeout.toNanos(), "early");
        runUntilIdle();
        assertEquals(1, service.calls().size());
    }

    @Test
    void theTimeoutEndsWithTheAttempt() throws Exception {
        SocketAddress address = listen().localAddress();
        Duration timeout = Duration.ofMillis(50);
        Service[] service = new Service[1];
        // On a busy machine an attempt may be too slow, which is not what this is about.
        while (service[0] == null || !service[0].isOpened()) {
            service[0] = new Service().onOpen(() -> {
                service[0].registration().interest(Interest.WRITE);
                service[0].registration().pause();
            });
            Connector.connect(reactor, address, timeout, service[0]);
            runUntil(service[0]::isOver);
        }
        Recorder later = new Recorder("later");
        reactor.schedule(later, null, timeout.multipliedBy(2));
        runUntil(() -> later.called("timeout"));
        assertEquals(List.of("open"), service[0].calls());
    }

    @Test
    void failsWhenTheReactorIsClosedInTheMeantime() throws Exception {
        SocketAddress address = fullBacklog().localAddress();
        Service pending = new Service();
        Connector.connect(reactor, address, LIMIT, pending);
        reactor.runOnce(Duration.ZERO);
        assertEquals(List.of(), pending.calls());
        Service queued = new Service();
        Connector.connect(reactor, address, LIMIT, queued);
        reactor.close();
        assertEquals(List.of("connectFailed"), pending.calls());
        assertEquals(List.of("connectFailed"), queued.calls());
        assertTrue(pending.failures().get(0).getMessage().contains("closed"));
        assertThrows(IllegalStateException.class, () -> Connector.connect(reactor, address, LIMIT, queued));
        assertEquals(1, queued.calls().size());
    }

    @Test
    void failsWhenAnotherThreadClosesTheReactorInTheMeantime() throws Exception {
        SocketAddress address = fullBacklog().localAddress();
        LoopRunner loop = runInBackground();
        Service pending = new Service();
        Connector.connect(reactor, address, LIMIT, pending);
        OtherThread.run(reactor::close);
        loop.join();
        assertEquals(List.of("connectFailed"), pending.calls());
        assertSame(loop.thread(), pending.thread());
    }

    @Test
    void failsWhenItIsCancelled() throws Exception {
        SocketAddress address = fullBacklog().localAddress();
        Service other = new Service();
        Connector.connect(reactor, address, LIMIT, other);
        for (boolean begun : new boolean[] {false, true}) {
            Service cancelled = new Service();
            Connector.connect(reactor, address, LIMIT, cancelled);
            if (begun) {
                runUntilIdle();
            }
            cancelled.close();
            assertEquals(List.of(), cancelled.calls(), "not from within");
            runUntil(cancelled::isOver);
            assertEquals(List.of("connectFailed"), cancelled.calls());
            CancellationException cause =
                    assertInstanceOf(CancellationException.class, cancelled.failures().get(0));
            assertTrue(cause.getMessage().contains(String.valueOf(((InetSocketAddress) address).getPort())),
                    cause::getMessage);
            cancelled.close();
            runUntilIdle();
            assertEquals(1, cancelled.calls().size());
        }
        assertEquals(List.of(), other.calls());
        reactor.close();
        assertEquals(List.of("connectFailed"), other.calls());
    }

    @Test
    void cancelledByAnotherThreadItHasOneOutcome() throws Exception {
        assumeTakesManyHandles();
        SocketAcceptor acceptor = listen();
        runInBackground();
        for (int i = 0; i < 100; i++) {
            Service service = new Service();
            Connector.connect(reactor, acceptor.localAddress(), LIMIT, service).close();
            OtherThread.await(() -> service.isClosed() || service.calls().contains("connectFailed"));
            if (!service.isClosed()) {
                assertEquals(List.of("connectFailed"), service.calls());
                assertInstanceOf(CancellationException.class, service.failures().get(0));
            }
        }
    }

    @Test
    void isCalledFromInsideTheLoop() throws Exception {
        SocketAcceptor acceptor = listenHere();
        SocketAddress address = acceptor.localAddress();
        Service service = new Service();
        List<String> during = new ArrayList<>();
        reactor.execute(() -> {
            Connector.connect(reactor, address, LIMIT, service);
            during.addAll(service.calls());
        });
        runUntil(service::isOver);
        closeLater(service);
        assertEquals(List.of(), during);
        assertEquals(List.of("open"), service.calls());
    }

    @Test
    void isCalledByAnotherThread() throws Exception {
        SocketAddress address = listen().localAddress();
        LoopRunner loop = runInBackground();
        Service service = new Service();
        Connector.connect(reactor, address, LIMIT, service);
        OtherThread.await(service::isOpened);
        closeLater(service);
        assertEquals(List.of("open"), service.calls());
        assertSame(loop.thread(), service.thread());
    }

    @Test
    void connects200AtOnce() throws Exception {
        assumeTakesManyHandles();
        SocketAcceptor acceptor = listen();
        List<Service> accepted = new ArrayList<>();
        Acceptor.listen(List.of(reactor), acceptor, new ListenOptions(), () -> {
            Service service = new Service();
            accepted.add(service);
            return service;
        });
        List<Service> services = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Service service = new Service();
            services.add(service);
            Connector.connect(reactor, acceptor.localAddress(), LIMIT, service);
        }
        runUntil(() -> accepted.size() == 200 && services.stream().allMatch(Service::isOver));
        for (Service service : services) {
            assertEquals(List.of("open"), service.calls());
            service.peer().close();
        }
        runUntil(() -> accepted.stream().allMatch(Service::isClosed));
    }

    @Test
    void hasOneOutcomeHoweverShortTheTime() throws Exception {
        assumeTakesManyHandles();
        SocketAcceptor acceptor = listen();
        List<Service> services = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Service service = new Service();
            services.add(service);
            Connector.connect(reactor, acceptor.localAddress(), Duration.ofNanos(i % 10 * 10_000), service);
            runUntil(service::isOver);
        }
        runUntilIdle();
        for (Service service : services) {
            assertEquals(1, service.calls().size(), () -> service.calls().toString());
            if (service.isOpened()) {
                service.peer().close();
            } else {
                assertInstanceOf(SocketTimeoutException.class, service.failures().get(0));
            }
        }
    }

    @Test
    void closesTheConnectionOfAServiceThatCannotOpen() throws Exception {
        for (SocketAcceptor acceptor : List.of(listen(), listenHere())) {
            IOException failure = new IOException("thrown by the test");
            Service service = new Service().onOpen(() -> {
                throw failure;
            });
            Connector.connect(reactor, acceptor.localAddress(), LIMIT, service);
            runUntil(() -> service.calls().contains("failure"));
            runUntilIdle();
            assertEquals(List.of("open", "failure", "close"), service.calls());
            assertEquals(List.of(failure), service.failures());
            assertFalse(service.peer().handle().isOpen());
        }
    }

    @Test
    void closesTheConnectionIfTheReactorCannotCallTheService() throws Exception {
        for (SocketAcceptor acceptor : List.of(listen(), listenHere())) {
            OutOfMemoryError lack = new OutOfMemoryError("thrown by the test");
            Service service = new Service();
            Connector.connect(OutOfMemoryDispatcher.of(reactor, lack), acceptor.localAddress(), LIMIT, service);
            runUntil(service::isOver);
            assertEquals(List.of("connectFailed"), service.calls());
            assertEquals(List.of(lack), service.failures());
            assertNull(service.peer());
            assertFalse(own(acceptor.accept(LIMIT)).receiveFully(ByteBuffer.allocate(1), LIMIT));
        }
    }

    @Test
    void refusesAServiceThatHasAConnectionOrIsToGetOne() throws Exception {
        SocketAcceptor acceptor = listen();
        Service service = new Service();
        Connector.connect(reactor, acceptor.localAddress(), LIMIT, service);
        assertThrows(IllegalStateException.class,
                () -> Connector.connect(reactor, acceptor.localAddress(), LIMIT, service));
        runUntil(service::isOpened);
        SocketStream peer = service.peer();
        own(acceptor.accept(LIMIT));
        Reactor other = own(openAnother());
        String message = assertThrows(IllegalStateException.class,
                () -> Connector.connect(other, acceptor.localAddress(), LIMIT, service)).getMessage();
        assertTrue(message.contains("is already connected to " + peer), message);
        assertSame(peer, service.peer());
        assertSame(reactor, service.dispatcher());
        assertTrue(peer.handle().isOpen());
        assertEquals(List.of("open"), service.calls());
        service.registration().close();
    }

    @Test
    void aServiceThatIsRegisteredAndCannotOpenIsNotifiedOfTheCloseOnce() throws Exception {
        SocketAcceptor acceptor = listen();
        for (boolean closes : new boolean[] {false, true}) {
            Service service = new Service();
            service.onOpen(() -> {
                if (closes) {
                    service.peer().close();
                }
                throw new IOException("thrown by the test");
            });
            Connector.connect(reactor, acceptor.localAddress(), LIMIT, service);
            runUntil(service::isClosed);
            runUntilIdle();
            assertEquals(Set.of("open", "failure", "close"), Set.copyOf(service.calls()));
            assertEquals(3, service.calls().size(), () -> service.calls().toString());
            assertFalse(service.peer().handle().isOpen());
        }
    }

    // Only a connection of Unix domain sockets stands before the reactor runs again.
    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void aServiceThatCannotOpenInTheReactorsLastMomentIsNotifiedOfTheClose() throws Exception {
        SocketAcceptor acceptor = listenHere();
        Service service = new Service().onOpen(() -> {
            throw new IOException("thrown by the test");
        });
        Connector.connect(reactor, acceptor.localAddress(), LIMIT, service);
        reactor.close();
        assertEquals(List.of("open", "failure", "close"), service.calls());
    }

    @Test
    void aServiceHasItsReactorBeforeItsConnection() throws Exception {
        Service service = new Service();
        IllegalStateException early = assertThrows(IllegalStateException.class, service::handle);
        assertTrue(early.getMessage().contains("is not connected"), early::getMessage);
        List<Dispatcher> seen = new ArrayList<>();
        service.onConnectFailed(() -> seen.add(service.dispatcher()));
        Connector.connect(reactor, unused(), LIMIT, service);
        runUntil(service::isOver);
        assertEquals(List.of(reactor), seen);
        assertNull(service.peer());
        assertNull(service.registration());
    }

    @Test
    void failsWhenThereIsNoDescriptorForTheSocket() throws Exception {
        SocketAddress address = listen().localAddress();
        FaultInjection faults = own(FaultInjection.install());
        faults.failEach(CalledSystem.isWindows() ? "WSASocketW" : "socket", Errno.EMFILE);
        Service service = connect(address);
        assertEquals(List.of("connectFailed"), service.calls());
        assertEquals("EMFILE", ((SystemCallException) service.failures().get(0)).errorName());
    }

    @Test
    void leavesTheEventsOfTheHandleToTheService() throws Exception {
        SocketAcceptor acceptor = listen();
        Service[] service = new Service[1];
        service[0] = new Service().onOpen(
                () -> service[0].registration().interest(Interest.READ.plus(Interest.EXCEPTION)));
        Connector.connect(reactor, acceptor.localAddress(), Duration.ofSeconds(Long.MAX_VALUE), service[0]);
        runUntil(service[0]::isOver);
        runUntilIdle();
        assertEquals(List.of("open"), service[0].calls(), "no hook of the attempt is the service's");
        service[0].registration().close();
        assertTrue(service[0].isClosed());
    }

    @Test
    void refusesWhatCannotWork() throws Exception {
        SocketAddress address = unused();
        Service service = new Service();
        assertThrows(IllegalArgumentException.class,
                () -> Connector.connect(reactor, address, Duration.ofNanos(-1), service));
        assertThrows(NullPointerException.class, () -> Connector.connect(reactor, address, LIMIT, null));
        assertThrows(NullPointerException.class, () -> Connector.connect(reactor, null, LIMIT, service));
        assertThrows(IllegalArgumentException.class, () -> Connector.connect(reactor, new Elsewhere(), LIMIT, service));
        assertThrows(IllegalArgumentException.class,
                () -> Connector.connect(reactor, UnixDomainSocketAddress.of(""), LIMIT, service));
        runUntilIdle();
        assertEquals(List.of(), service.calls());
    }

    /** A kind of address that is not supported. */
    private static final class Elsewhere extends SocketAddress {

        private static final long serialVersionUID = 1L;
    }
}
