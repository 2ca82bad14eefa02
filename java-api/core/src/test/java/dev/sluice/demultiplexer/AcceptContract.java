package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections are accepted, each once, and none is lost to a cancellation. */
@Tag(Depth.TRANSFER)
public abstract class AcceptContract extends OperationContract {

    private static final int CONNECTIONS = 50;
    private static final int ROUNDS = 100;

    private SocketAcceptor acceptor;
    private Association where;

    protected AcceptContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    private void listen(StreamKind kind) throws IOException {
        acceptor = own(kind.listen(directory));
        where = associate(acceptor.handle());
    }

    private SocketStream connect() throws IOException {
        return own(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
    }

    private Flight accept() {
        return start(o -> o.accept(where, acceptor));
    }

    private static void assertConnected(SocketStream near, SocketStream far) throws IOException {
        Peer.send(near, (byte) 1, (byte) 2);
        assertArrayEquals(new byte[] {1, 2}, Peer.receive(far, 2));
        Peer.send(far, (byte) 3);
        assertArrayEquals(new byte[] {3}, Peer.receive(near, 1));
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void waitsForAConnection(StreamKind kind) throws IOException {
        listen(kind);
        Flight accept = accept();
        assertNoCompletion();
        SocketStream far = connect();
        assertResult(0, accept);
        assertConnected(accept.stream(), far);
        assertNotNull(accept.stream().remoteAddress());
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void acceptsAWaitingConnection(StreamKind kind) throws IOException {
        listen(kind);
        SocketStream far = connect();
        Flight accept = accept();
        assertResult(0, accept);
        assertConnected(accept.stream(), far);
    }

    @Test
    void acceptedStreamHasTheNameOfItsPeer() throws IOException {
        listen(StreamKind.TCP);
        SocketStream far = connect();
        Flight accept = accept();
        assertResult(0, accept);
        assertEquals(far.localAddress(), accept.stream().remoteAddress());
        String name = accept.stream().toString();
        assertTrue(name.contains(String.valueOf(portOf(far))), name);
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void acceptedStreamOfAnUnnamedPeerHasTheNameOfTheAcceptor() throws IOException {
        listen(StreamKind.UNIX);
        connect();
        Flight accept = accept();
        assertResult(0, accept);
        String name = accept.stream().toString();
        assertTrue(name.startsWith("unix (unnamed) on " + acceptor.localAddress()), name);
    }

    private static int portOf(SocketStream stream) throws IOException {
        return ((InetSocketAddress) stream.localAddress()).getPort();
    }

    @Test
    void concurrentAcceptsReturnDifferentConnections() throws IOException {
        listen(StreamKind.TCP);
        List<Flight> accepts = new ArrayList<>();
        Set<Object> expected = new HashSet<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            accepts.add(accept());
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            expected.add(connect().localAddress());
        }
        Set<Object> accepted = new HashSet<>();
        for (Flight accept : accepts) {
            assertResult(0, accept);
            accepted.add(accept.stream().remoteAddress());
        }
        assertEquals(expected, accepted);
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void continuousAcceptReturnsAllConnections(StreamKind kind) throws IOException {
        listen(kind);
        List<SocketStream> far = new ArrayList<>();
        far.add(connect());
        Flight accept = start(o -> o.acceptContinuously(where, acceptor));
        collectUntil("the first connection", () -> accept.streams().size() == 1);
        assertNoCompletion();
        while (far.size() < CONNECTIONS) {
            far.add(connect());
        }
        collectUntil("all connections", () -> accept.streams().size() == CONNECTIONS);
        assertEquals(CONNECTIONS, accept.partial());
        for (int i = 0; i < CONNECTIONS; i++) {
            assertConnected(accept.streams().get(i), far.get(i));
        }
        accept.operation().cancel();
        assertCancelled(accept);
        assertEquals(CONNECTIONS, accept.streams().size());
    }

    @Test
    void cancelledTakesNoConnection() throws IOException {
        listen(StreamKind.TCP);
        Flight accept = accept();
        assertNoCompletion();
        accept.operation().cancel();
        assertCancelled(accept);
        SocketStream far = connect();
        assertNoCompletion();
        Flight next = accept();
        assertResult(0, next);
        assertConnected(next.stream(), far);
    }

    /** An accepted connection is either delivered or closed, which the check of descriptors after the test shows. */
    @Test
    void cancelledAcceptLosesNoConnection() throws IOException {
        listen(StreamKind.TCP);
        for (int round = 0; round < ROUNDS; round++) {
            Flight accept = accept();
            if (round % 2 == 0) {
                collect(0);
            }
            try (SocketStream far = SocketConnector.connect(acceptor.localAddress(), PATIENCE)) {
                accept.operation().cancel();
                if (isCancelled(accept)) {
                    assertEquals(0, accept.streams().size());
                } else {
                    accept.stream().close();
                }
                assertTrue(far.handle().isOpen());
            }
        }
    }

    @Test
    void cancelledContinuousAcceptLosesNoConnection() throws IOException {
        listen(StreamKind.fastest());
        int pending = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Flight accept = start(o -> o.acceptContinuously(where, acceptor));
            collect(0);
            try (SocketStream far = SocketConnector.connect(acceptor.localAddress(), PATIENCE)) {
                // Connections that a cancelled accept has not delivered are left for the next accept.
                pending++;
                accept.operation().cancel();
                assertCancelled(accept);
                pending -= accept.streams().size();
                assertTrue(pending >= 0, "more connections than there were");
                for (SocketStream stream : accept.streams()) {
                    stream.close();
                }
                assertTrue(far.handle().isOpen());
            }
        }
    }

    /** The socket does not listen, so there is nothing to wait for. */
    @Test
    void failureNamesCallErrorAndSubject() throws IOException {
        acceptor = own(SocketAcceptor.unbound(StandardProtocolFamily.INET));
        where = associate(acceptor.handle());
        Flight accept = accept();
        assertFails(Errno.EINVAL, accept);
        String message = accept.operation().error(accept.result()).getMessage();
        assertTrue(message.startsWith("accept ") && message.contains("EINVAL")
                && message.contains(acceptor.toString()), message);
    }

    @Test
    void continuousFailureIsTheLast() throws IOException {
        acceptor = own(SocketAcceptor.unbound(StandardProtocolFamily.INET));
        where = associate(acceptor.handle());
        Flight accept = start(o -> o.acceptContinuously(where, acceptor));
        assertFails(Errno.EINVAL, accept);
        assertFalse(accept.operation().isInFlight());
        assertNoCompletion();
    }

    /** Closing a handle does not lose its completions that are still queued. */
    @Test
    void closingTheAcceptorKeepsAcceptedStreams() throws IOException {
        listen(StreamKind.TCP);
        SocketStream far = connect();
        Flight accept = start(o -> o.acceptContinuously(where, acceptor));
        collectUntil("a connection", () -> accept.streams().size() == 1);
        acceptor.close();
        assertCancelled(accept);
        assertConnected(accept.stream(), far);
    }
}
