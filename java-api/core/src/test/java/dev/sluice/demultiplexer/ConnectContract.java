package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connecting, and shutting down one direction. */
@Tag(Depth.TRANSFER)
abstract class ConnectContract extends OperationContract {

    private static final int MORE_THAN_THE_BACKLOG = 8;

    ConnectContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    private SocketStream unconnected(SocketAddress address) throws IOException {
        return own(SocketConnector.unconnected(address, null));
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void connects(StreamKind kind) throws IOException {
        SocketAcceptor acceptor = own(kind.listen(directory));
        SocketStream near = unconnected(acceptor.localAddress());
        Association where = associate(near);
        PeerAddress remote = PeerAddress.of(acceptor.localAddress());
        Flight connect = start(o -> o.connect(where, remote));
        assertResult(0, connect);
        SocketStream far = own(acceptor.accept(PATIENCE));
        assertEquals(acceptor.localAddress(), near.remoteAddress());
        Peer.send(near, (byte) 7);
        assertArrayEquals(new byte[] {7}, Peer.receive(far, 1));
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void refusalNamesCallErrorAndPeer(StreamKind kind) throws IOException {
        assumeErrorsAreLeft();
        SocketAddress refusing;
        try (SocketAcceptor acceptor = kind.listen(directory)) {
            refusing = acceptor.localAddress();
        }
        SocketStream near = unconnected(refusing);
        Association where = associate(near);
        PeerAddress remote = PeerAddress.of(refusing);
        Flight connect = start(o -> o.connect(where, remote));
        assertFails(Errno.ECONNREFUSED, connect);
        String message = connect.operation().error(connect.result()).getMessage();
        assertTrue(message.startsWith("connect ") && message.contains("ECONNREFUSED")
                && message.contains(remote.toString()), message);
        assertEquals(message.indexOf(remote.toString()), message.lastIndexOf(remote.toString()), message);
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void missingPathIsAFailure() throws IOException {
        PeerAddress missing = PeerAddress.of(UnixDomainSocketAddress.of(directory.resolve("missing")));
        Association where = associate(unconnected(missing.toSocketAddress()));
        assertFails(Errno.ENOENT, start(o -> o.connect(where, missing)));
    }

    /** Connections beyond the backlog are not answered, so they stay in flight. */
    @Test
    void cancelledStopsConnecting() throws IOException {
        SocketAcceptor acceptor = own(SocketAcceptor.unbound(StandardProtocolFamily.INET));
        acceptor.bind(StreamPair.loopback(), 1);
        PeerAddress remote = PeerAddress.of(acceptor.localAddress());
        List<Flight> connects = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_THE_BACKLOG; i++) {
            Association where = associate(unconnected(acceptor.localAddress()));
            connects.add(start(o -> o.connect(where, remote)));
        }
        collectUntil("the first connection", () -> connects.stream().anyMatch(Flight::isDone));
        connects.forEach(connect -> connect.operation().cancel());
        int cancelled = 0;
        for (Flight connect : connects) {
            cancelled += isCancelled(connect) ? 1 : 0;
        }
        assertTrue(cancelled > 0 && cancelled < MORE_THAN_THE_BACKLOG, cancelled + " cancelled");
    }

    /** Operations of one direction run in the order of their starts, so a send may be started before the connection. */
    @ParameterizedTest
    @MethodSource("streamKinds")
    void sendsStartedBehindItFollow(StreamKind kind) throws Exception {
        SocketAcceptor acceptor = own(kind.listen(directory));
        Association where = associate(unconnected(acceptor.localAddress()));
        PeerAddress remote = PeerAddress.of(acceptor.localAddress());
        byte[] content = Bytes.random(100_000);
        List<Flight> all = List.of(start(o -> o.connect(where, remote)),
                start(o -> o.send(where, ByteBuffer.wrap(content), true)),
                start(o -> o.shutdown(where, true)));
        var receiver = inBackground(() -> {
            try (SocketStream far = acceptor.accept(PATIENCE)) {
                return Peer.receiveAll(far);
            }
        });
        collectAll(all);
        assertResult(0, all.get(0));
        assertResult(content.length, all.get(1));
        assertResult(0, all.get(2));
        assertArrayEquals(content, finish(receiver));
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void shutdownOfTheSendingHalfEndsThePeersStream(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        Association where = associate(pair.near());
        Flight shutdown = start(o -> o.shutdown(where, true));
        assertResult(0, shutdown);
        assertNull(shutdown.file());
        Peer.assertEnd(pair.far());
        Peer.send(pair.far(), (byte) 5);
        assertArrayEquals(new byte[] {5}, Peer.receive(pair.near(), 1));
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void shutdownOfTheReceivingHalfEndsAReceive(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        Association where = associate(pair.near());
        Flight receive = start(o -> o.receive(where, ByteBuffer.allocate(1)));
        assertNoCompletion();
        Flight shutdown = start(o -> o.shutdown(where, false));
        assertResult(0, shutdown);
        assertResult(0, receive);
    }

    @Test
    void shutdownOfWhatIsNotConnectedFails() throws IOException {
        SocketStream near = unconnected(StreamPair.loopback());
        Association where = associate(near);
        Flight shutdown = start(o -> o.shutdown(where, true));
        assertFails(Errno.ENOTCONN, shutdown);
        String message = shutdown.operation().error(shutdown.result()).getMessage();
        assertTrue(message.startsWith("shutdown ") && message.contains(near.toString()), message);
    }
}
