package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.OwnPort;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many attempts to connect, and what may happen at the same time; each by itself is in {@link StreamHandlerTest}. */
@Tag(Depth.IN_QUICK)
class StreamConnectTest extends ProactorContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);
    private static final int MANY = 200;

    /** Records the results of its attempts, and closes the connections. */
    private static class Noting implements StreamHandler {

        private final List<AsyncStream> opened = new CopyOnWriteArrayList<>();
        private final List<Throwable> failures = new CopyOnWriteArrayList<>();
        private final List<AsyncStream> closed = new CopyOnWriteArrayList<>();
        private volatile Thread thread;

        @Override
        public void opened(AsyncStream stream) throws Exception {
            thread = Thread.currentThread();
            opened.add(stream);
            stream.close();
        }

        @Override
        public void received(AsyncStream stream, ProvidedBuffer buffer) {
            throw new AssertionError("it is closed");
        }

        @Override
        public void failed(AsyncStream stream, OperationType operation, Throwable cause) {
            failures.add(cause);
        }

        @Override
        public void closed(AsyncStream stream) {
            closed.add(stream);
        }
    }

    private final Noting service = new Noting();

    private SocketAcceptor listen() throws IOException {
        return own(SocketAcceptor.open(ANY_PORT));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void connectionToItselfFailsAsRefused() throws Exception {
        OwnPort port = own(OwnPort.install());
        AsyncStream.connect(proactor, port.address(), LIMIT, service);
        runUntil(() -> service.closed.size() == 1);
        assertEquals("ECONNREFUSED", ((SystemCallException) service.failures.get(0)).errorName());
        assertEquals(List.of(), service.opened);
    }

    @Test
    void closedByAnotherThreadItHasOneOutcome() throws Exception {
        SocketAcceptor acceptor = listen();
        runInBackground();
        for (int i = 1; i <= MANY; i++) {
            int expected = i;
            AsyncStream.connect(proactor, acceptor.localAddress(), LIMIT, service).close();
            OtherThread.await(() -> service.closed.size() == expected);
        }
        assertEquals(List.of(), service.failures);
        assertEquals(MANY, service.closed.stream().distinct().count());
    }

    @Test
    void isCalledByAnotherThreadThanTheOneThatRunsTheHooks() throws Exception {
        SocketAddress address = listen().localAddress();
        LoopRunner loop = runInBackground();
        AsyncStream.connect(proactor, address, LIMIT, service);
        OtherThread.await(() -> service.closed.size() == 1);
        assertSame(loop.thread(), service.thread);
    }

    @Test
    void connectsManyAtOnce() throws Exception {
        SocketAcceptor acceptor = listen();
        List<SocketStream> accepted = new ArrayList<>();
        for (int i = 0; i < MANY; i += 50) {
            for (int j = 0; j < 50; j++) {
                AsyncStream.connect(proactor, acceptor.localAddress(), LIMIT, service);
            }
            int expected = i + 50;
            runUntil(() -> service.closed.size() == expected);
            while (accepted.size() < expected) {
                accepted.add(own(acceptor.accept(LIMIT)));
            }
        }
        assertEquals(List.of(), service.failures);
        assertEquals(MANY, service.opened.size());
    }

    @Test
    void whatTheFirstHookThrowsClosesTheConnection() throws Exception {
        SocketAcceptor acceptor = listen();
        List<Throwable> causes = List.of(new IOException("thrown by the test"), new AssertionError("thrown, too"));
        for (int i = 0; i < causes.size(); i++) {
            Throwable cause = causes.get(i);
            int expected = i + 1;
            AsyncStream.connect(proactor, acceptor.localAddress(), LIMIT, new Noting() {
                @Override
                public void opened(AsyncStream stream) throws Exception {
                    if (cause instanceof Error error) {
                        throw error;
                    }
                    throw (IOException) cause;
                }

                @Override
                public void failed(AsyncStream stream, OperationType operation, Throwable thrown) {
                    service.failed(stream, operation, thrown);
                }

                @Override
                public void closed(AsyncStream stream) {
                    service.closed(stream);
                }
            });
            runUntil(() -> service.closed.size() == expected);
            assertFalse(own(acceptor.accept(LIMIT)).receiveFully(ByteBuffer.allocate(1), LIMIT));
        }
        assertEquals(causes, service.failures);
    }

    @Test
    void failedMayConnectAgain() throws Exception {
        SocketAcceptor acceptor = listen();
        SocketAddress unused;
        try (SocketAcceptor closed = SocketAcceptor.open(ANY_PORT)) {
            unused = closed.localAddress();
        }
        AsyncStream.connect(proactor, unused, LIMIT, new Noting() {
            @Override
            public void failed(AsyncStream stream, OperationType operation, Throwable cause) {
                assertEquals("ECONNREFUSED", assertInstanceOf(SystemCallException.class, cause).errorName());
                try {
                    AsyncStream.connect(proactor, acceptor.localAddress(), LIMIT, service);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                throw new IllegalStateException("thrown by the test, and logged");
            }
        });
        runUntil(() -> service.closed.size() == 1);
        assertEquals(1, service.opened.size());
    }

    @Test
    void refusesWhatCannotWork() throws Exception {
        SocketAddress address = listen().localAddress();
        assertThrows(IllegalArgumentException.class,
                () -> AsyncStream.connect(proactor, address, Duration.ofNanos(-1), service));
        assertThrows(IllegalArgumentException.class,
                () -> AsyncStream.connect(proactor, new SocketAddress() { }, LIMIT, service));
        assertThrows(IllegalArgumentException.class,
                () -> AsyncStream.connect(proactor, UnixDomainSocketAddress.of(""), LIMIT, service));
        assertThrows(NullPointerException.class, () -> AsyncStream.connect(proactor, address, LIMIT, null));
        runUntilIdle();
        assertTrue(service.closed.isEmpty());
    }
}
