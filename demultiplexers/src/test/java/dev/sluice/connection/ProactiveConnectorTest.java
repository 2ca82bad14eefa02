package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.OwnPort;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.ProactorContract;
import dev.sluice.proactor.Proactors;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag(Depth.IN_QUICK)
class ProactiveConnectorTest extends ProactorContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);
    private static final Duration A_DAY = Duration.ofDays(1);
    private static final int MANY = 200;

    private ProactiveConnector connector;

    /** Records the results of its attempts. */
    private final class Noting implements ProactiveService {

        private final List<SocketStream> streams = new CopyOnWriteArrayList<>();
        private final List<Exception> failures = new CopyOnWriteArrayList<>();
        private final List<SocketAddress> failed = new CopyOnWriteArrayList<>();
        private volatile Thread thread;

        @Override
        public void open(Proactor where, SocketStream stream) {
            assertSame(proactor, where);
            thread = Thread.currentThread();
            streams.add(stream);
        }

        @Override
        public void connectFailed(Proactor where, SocketAddress address, Exception cause) {
            assertSame(proactor, where);
            thread = Thread.currentThread();
            failed.add(address);
            failures.add(cause);
        }

        int told() {
            return streams.size() + failures.size();
        }

        Exception failure() throws IOException {
            runUntil(() -> told() > 0);
            assertEquals(1, told());
            return failures.get(0);
        }

        void close() {
            streams.forEach(SocketStream::close);
        }
    }

    private final Noting service = new Noting();

    @BeforeEach
    void makeConnector() {
        connector = new ProactiveConnector(proactor);
        own(service::close);
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void connectionToItselfFailsAsRefused() throws Exception {
        OwnPort port = own(OwnPort.install());
        connector.connect(service, port.address(), LIMIT);
        assertEquals("ECONNREFUSED", ((SystemCallException) service.failure()).errorName());
    }

    private SocketAcceptor listen() throws IOException {
        return own(SocketAcceptor.open(ANY_PORT));
    }

    /** {@return an address on which no socket listens} */
    private static SocketAddress unused() throws IOException {
        try (SocketAcceptor acceptor = SocketAcceptor.open(ANY_PORT)) {
            return acceptor.localAddress();
        }
    }

    /** {@return an address where connections are never completed: Linux drops what the backlog does not hold} */
    private SocketAddress unresponsive() throws IOException {
        WineDifference.CONNECT_TO_FULL_BACKLOG_WAITS.assumePresentOnWindows();
        SocketAddress address = own(SocketAcceptor.unbound(StandardProtocolFamily.INET).bind(ANY_PORT, 1))
                .localAddress();
        for (int i = 0; i < 2; i++) {
            own(SocketConnector.connect(address, LIMIT));
        }
        return address;
    }

    private static void assertNames(SocketAddress address, Exception cause) {
        String port = String.valueOf(((InetSocketAddress) address).getPort());
        assertTrue(cause.getMessage().contains("connect ") && cause.getMessage().contains(port), cause::getMessage);
    }

    @Test
    void beginsTheServiceOnTheConnection() throws Exception {
        SocketAcceptor acceptor = listen();
        connector.connect((where, stream) -> {
            service.open(where, stream);
            new AsyncStream(where, stream, recorder).send(heap("hello"), "hello");
        }, acceptor.localAddress(), LIMIT);
        assertEquals(0, service.told(), "called from within connect");
        result("hello");
        SocketStream peer = own(acceptor.accept(LIMIT));
        ByteBuffer room = ByteBuffer.allocate(5);
        assertTrue(peer.receiveFully(room, LIMIT));
        assertReceived("hello", room);
        assertSame(Thread.currentThread(), service.thread);
        assertEquals(peer.remoteAddress(), service.streams.get(0).localAddress());
    }

    @Test
    void isRefused() throws Exception {
        SocketAddress address = unused();
        connector.connect(service, address, LIMIT);
        SystemCallException refused = assertInstanceOf(SystemCallException.class, service.failure());
        assertEquals("ECONNREFUSED", refused.errorName());
        assertNames(address, refused);
        assertEquals(List.of(address), service.failed);
    }

    @Test
    void doesNotResolve() throws Exception {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("unknown.invalid", 7);
        long ticket = connector.connect(service, nowhere, LIMIT);
        assertEquals(0, service.told(), "called from within connect");
        connector.cancel(ticket);
        UnknownHostException unknown = assertInstanceOf(UnknownHostException.class, service.failure());
        assertTrue(unknown.getMessage().contains("unknown.invalid"), unknown::getMessage);
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.WINDOWS})
    void timesOut() throws Exception {
        SocketAddress address = unresponsive();
        connector.connect(service, address, Duration.ofMillis(20));
        assertNames(address, assertInstanceOf(SocketTimeoutException.class, service.failure()));
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.WINDOWS})
    void isCancelled() throws Exception {
        SocketAddress address = unresponsive();
        Noting other = new Noting();
        own(other::close);
        connector.connect(other, address, A_DAY);
        long ticket = connector.connect(service, address, A_DAY);
        runUntilIdle();
        connector.cancel(ticket);
        assertEquals(0, service.told(), "called from within cancel");
        assertNames(address, assertInstanceOf(CancellationException.class, service.failure()));
        connector.cancel(ticket);
        runUntilIdle();
        assertEquals(1, service.told());
        assertEquals(0, other.told());
        proactor.close();
        assertEquals(1, other.told());
        assertNames(address, assertInstanceOf(IOException.class, other.failures.get(0)));
        assertTrue(other.failures.get(0).getMessage().contains("closed"), other.failures.get(0)::getMessage);
    }

    @Test
    void cancelledByAnotherThreadItHasOneOutcome() throws Exception {
        SocketAcceptor acceptor = listen();
        runInBackground();
        for (int i = 1; i <= MANY; i++) {
            int expected = i;
            connector.cancel(connector.connect(service, acceptor.localAddress(), LIMIT));
            OtherThread.await(() -> service.told() == expected);
            service.streams.forEach(SocketStream::close);
        }
        service.failures.forEach(failure -> assertInstanceOf(CancellationException.class, failure));
    }

    @Test
    void isCalledByAnotherThreadThanTheOneThatRunsTheService() throws Exception {
        SocketAddress address = listen().localAddress();
        LoopRunner loop = runInBackground();
        connector.connect(service, address, LIMIT);
        OtherThread.await(() -> service.told() == 1);
        assertSame(loop.thread(), service.thread);
    }

    @Test
    void connectsManyAtOnce() throws Exception {
        SocketAcceptor acceptor = listen();
        List<SocketStream> accepted = new ArrayList<>();
        for (int i = 0; i < MANY; i += 50) {
            for (int j = 0; j < 50; j++) {
                connector.connect(service, acceptor.localAddress(), LIMIT);
            }
            int expected = i + 50;
            runUntil(() -> service.told() == expected);
            while (accepted.size() < expected) {
                accepted.add(own(acceptor.accept(LIMIT)));
            }
        }
        assertEquals(List.of(), service.failures);
    }

    @Test
    void closesTheConnectionOfAServiceThatThrows() throws Exception {
        SocketAcceptor acceptor = listen();
        for (Throwable wanted : List.of(new IOException("thrown by the test"), new AssertionError("wanted, too"))) {
            connector.connect((where, stream) -> {
                service.open(where, stream);
                if (wanted instanceof Error error) {
                    throw error;
                }
                throw (IOException) wanted;
            }, acceptor.localAddress(), LIMIT);
            int expected = service.told() + 1;
            runUntil(() -> service.told() == expected);
            SocketStream peer = own(acceptor.accept(LIMIT));
            assertFalse(service.streams.get(expected - 1).handle().isOpen());
            assertFalse(peer.receiveFully(ByteBuffer.allocate(1), LIMIT));
        }
        assertEquals(List.of(), service.failures);
    }

    @Test
    void connectFailedMayConnectAgain() throws Exception {
        SocketAcceptor acceptor = listen();
        connector.connect(new ProactiveService() {
            @Override
            public void open(Proactor where, SocketStream stream) {
                service.open(where, stream);
            }

            @Override
            public void connectFailed(Proactor where, SocketAddress address, Exception cause) {
                try {
                    connector.connect(service, acceptor.localAddress(), LIMIT);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                throw new IllegalStateException("thrown by the test, and logged");
            }
        }, unused(), LIMIT);
        runUntil(() -> service.told() == 1);
        assertEquals(1, service.streams.size());
    }

    @Test
    void defaultConnectFailedIgnoresTheFailure() throws Exception {
        connector.connect((where, stream) -> service.open(where, stream), unused(), LIMIT);
        runUntil(() -> Proactors.demultiplexer(proactor).inFlight() == 0);
        assertEquals(0, service.told());
    }

    @Test
    void refusesWhatCannotWork() throws Exception {
        SocketAddress address = listen().localAddress();
        assertThrows(IllegalArgumentException.class,
                () -> connector.connect(service, address, Duration.ofNanos(-1)));
        assertThrows(IllegalArgumentException.class,
                () -> connector.connect(service, new SocketAddress() { }, LIMIT));
        assertThrows(IllegalArgumentException.class,
                () -> connector.connect(service, UnixDomainSocketAddress.of(""), LIMIT));
        assertThrows(NullPointerException.class, () -> connector.connect(null, address, LIMIT));
        proactor.close();
        assertThrows(IllegalStateException.class, () -> connector.connect(service, address, LIMIT));
        connector.cancel(0);
        assertEquals(0, service.told());
    }
}
