package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.SockaddrUn;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Addresses that do not exist, do not fit, or just fit. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class SocketAddressTest extends LeakChecked {

    private static final SocketAddress UNRESOLVED = InetSocketAddress.createUnresolved("no-such-host.invalid", 80);
    private static final SocketAddress FOREIGN = new SocketAddress() {
        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            return "carrier pigeon";
        }
    };

    @TempDir
    Path directory;

    @Test
    void unresolvedHostIsNamed() throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.unbound(StandardProtocolFamily.INET));
        SocketDatagram datagram = own(SocketDatagram.unbound(StandardProtocolFamily.INET6));
        SocketAcceptor listening = own(Transport.TCP4.acceptor(directory));
        Executable[] uses = {
            () -> SocketAcceptor.open(UNRESOLVED),
            () -> acceptor.bind(UNRESOLVED, 1),
            () -> SocketConnector.connect(UNRESOLVED, Patience.LIMIT),
            () -> SocketConnector.initiate(listening.localAddress(), UNRESOLVED),
            () -> SocketDatagram.open(UNRESOLVED),
            () -> datagram.connect(UNRESOLVED),
            () -> datagram.send(ByteBuffer.allocate(1), UNRESOLVED),
        };
        for (int i = 0; i < uses.length; i++) {
            UnknownHostException e = assertThrows(UnknownHostException.class, uses[i], "use " + i);
            assertEquals("no-such-host.invalid: unresolved address: resolve it first, for example by"
                    + " new InetSocketAddress(host, port)", e.getMessage());
        }
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void wrongFamilyIsRefused() throws Exception {
        SocketAcceptor inet = own(SocketAcceptor.unbound(StandardProtocolFamily.INET));
        SocketDatagram inet6 = own(SocketDatagram.unbound(StandardProtocolFamily.INET6));
        SocketDatagram unix = own(SocketDatagram.unbound(StandardProtocolFamily.UNIX));
        UnixDomainSocketAddress path = Transport.freshPath(directory);
        InetSocketAddress ip = new InetSocketAddress("127.0.0.1", 9);
        Executable[] uses = {
            () -> inet.bind(new InetSocketAddress("::1", 0), 1),
            () -> inet.bind(path, 1),
            () -> inet6.bind(path),
            () -> unix.connect(ip),
            () -> unix.send(ByteBuffer.allocate(1), ip),
            () -> inet.bind(FOREIGN, 1),
            () -> SocketAcceptor.open(FOREIGN),
            () -> SocketConnector.connect(FOREIGN, Patience.LIMIT),
        };
        for (int i = 0; i < uses.length; i++) {
            assertThrows(IllegalArgumentException.class, uses[i], "use " + i);
        }
    }

    @Test
    void unknownProtocolFamilyIsNamed() {
        ProtocolFamily pigeon = () -> "pigeon";
        assertThrows(UnsupportedOperationException.class, () -> SocketAcceptor.unbound(pigeon));
        assertThrows(UnsupportedOperationException.class, () -> SocketDatagram.unbound(pigeon));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void unixPathThatJustFits() throws Exception {
        SocketAddress address = pathOf(SockaddrUn.longestPath());
        SocketAcceptor acceptor = own(SocketAcceptor.open(address));
        assertEquals(address, acceptor.localAddress());
        assertEquals(address, own(SocketConnector.connect(address, Patience.LIMIT)).remoteAddress());
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void unixPathTooLongIsNamed() {
        SocketAddress address = pathOf(SockaddrUn.longestPath() + 1);
        Executable[] uses = {
            () -> SocketAcceptor.open(address),
            () -> SocketConnector.connect(address, Patience.LIMIT),
            () -> SocketDatagram.open(address),
        };
        for (Executable use : uses) {
            SocketException e = assertThrows(SocketException.class, use);
            assertTrue(e.getMessage().contains(address.toString()), e::getMessage);
            assertTrue(e.getMessage().contains((SockaddrUn.longestPath() + 1) + " bytes is longer than the "
                    + SockaddrUn.longestPath()), e::getMessage);
        }
    }

    private UnixDomainSocketAddress pathOf(int length) {
        String name = directory.toString() + "/";
        return UnixDomainSocketAddress.of(name + "x".repeat(length - name.length()));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void emptyUnixPathMeansUnnamed() throws Exception {
        UnixDomainSocketAddress nameless = UnixDomainSocketAddress.of("");
        SocketDatagram first = own(SocketDatagram.open(nameless));
        SocketDatagram second = own(SocketDatagram.open(nameless));
        assertEquals(nameless, first.localAddress());
        assertEquals(nameless, second.localAddress());
        assertThrows(SystemCallException.class, () -> SocketConnector.connect(nameless, Patience.LIMIT));
    }

    @Test
    void ipv6SocketReachesIpv4Peer() throws Exception {
        SocketDatagram four = own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
        SocketDatagram six = own(SocketDatagram.unbound(StandardProtocolFamily.INET6));
        six.connect(four.localAddress());
        assertTrue(six.send(Bytes.heap("mapped")));
        Patience.awaitReadable(four);
        PeerAddress sender = new PeerAddress();
        assertEquals(6, four.receive(ByteBuffer.allocate(10), sender));
        assertEquals(six.localAddress(), sender.toSocketAddress());
        assertEquals("127.0.0.1", ((InetSocketAddress) six.localAddress()).getAddress().getHostAddress());
    }
}
