package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connecting. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class SocketConnectorTest extends LeakChecked {

    private static final int MORE_THAN_ANY_SMALL_BACKLOG = 100;

    @TempDir
    Path directory;

    @Test
    void connectToAPortWithoutAListenerIsRefused() throws Exception {
        // The client of a connection has a port that no other socket can use, and does not listen.
        SocketAddress address = own(Transport.TCP4.connect(directory)).client().localAddress();
        String message = "connect " + SocketAddresses.show(address) + ": ECONNREFUSED (connection refused)";
        SystemCallException e = assertThrows(SystemCallException.class,
                () -> SocketConnector.connect(address, Patience.LIMIT));
        assertEquals(message, e.getMessage());

        SystemCallException later = assertThrows(SystemCallException.class, () -> {
            SocketConnector.Attempt attempt = SocketConnector.initiate(address, null);
            own(attempt.stream());
            Patience.awaitWritable(attempt.stream());
            SocketConnector.complete(attempt.stream(), address);
        });
        assertEquals(message, later.getMessage());
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void selfConnectionIsRejectedAndReleasesThePort() throws Exception {
        OwnPort port = own(OwnPort.install());
        String message = "connect " + SocketAddresses.show(port.address()) + ": ECONNREFUSED (connection refused);"
                + " nothing listens there, and the socket has connected to itself";
        for (int attempt = 0; attempt < 2; attempt++) {
            SystemCallException e = assertThrows(SystemCallException.class,
                    () -> SocketConnector.connect(port.address(), Patience.LIMIT));
            assertEquals(message, e.getMessage());
            assertEquals("ECONNREFUSED", e.errorName());
        }
        // On Linux, 0.0.0.0 is this machine, too.
        InetSocketAddress any = new InetSocketAddress("0.0.0.0", port.address().getPort());
        assertEquals("ECONNREFUSED", assertThrows(SystemCallException.class,
                () -> SocketConnector.connect(any, Patience.LIMIT)).errorName());
        port.close();
        own(SocketAcceptor.open(port.address()));
    }

    @Test
    void samePortOfAnotherAddressIsNotASelfConnection() throws Exception {
        SocketAcceptor acceptor = own(Transport.TCP4.acceptor(directory));
        InetSocketAddress address = (InetSocketAddress) acceptor.localAddress();
        SocketConnector.Attempt attempt =
                SocketConnector.initiate(address, new InetSocketAddress("127.0.0.2", address.getPort()));
        own(attempt.stream());
        Patience.awaitWritable(attempt.stream());
        SocketConnector.complete(attempt.stream(), address);
        own(acceptor.accept(Patience.LIMIT));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void refusedByAUnixPath() throws Exception {
        UnixDomainSocketAddress missing = UnixDomainSocketAddress.of(directory.resolve("missing"));
        SystemCallException e = assertThrows(SystemCallException.class,
                () -> SocketConnector.connect(missing, Patience.LIMIT));
        assertEquals("connect " + missing + ": ENOENT (no such file or directory)", e.getMessage());

        SystemCallException nowhere = assertThrows(SystemCallException.class,
                () -> SocketConnector.connect(UnixDomainSocketAddress.of(""), Patience.LIMIT));
        assertTrue(nowhere.getMessage().startsWith("connect (unnamed): E"), nowhere.getMessage());

        SocketAcceptor acceptor = own(Transport.UNIX.acceptor(directory));
        SocketAddress left = acceptor.localAddress();
        acceptor.close();
        assertEquals("ECONNREFUSED", assertThrows(SystemCallException.class,
                () -> SocketConnector.connect(left, Patience.LIMIT)).errorName());
    }

    @ParameterizedTest
    @EnumSource
    void attemptCompletes(Transport transport) throws Exception {
        SocketAcceptor acceptor = own(transport.acceptor(directory));
        SocketAddress address = transport.addressOf(acceptor);
        SocketConnector.Attempt attempt = SocketConnector.initiate(address, null);
        SocketStream stream = own(attempt.stream());
        assertTrue(attempt.connected() || transport.isTcp(), "a Unix domain socket connects at once");
        if (!attempt.connected()) {
            Patience.awaitWritable(stream);
            SocketConnector.complete(stream, address);
        }
        assertEquals(address, stream.remoteAddress());
        assertNotNull(own(acceptor.accept(Patience.LIMIT)));
    }

    @Test
    void fromALocalAddress() throws Exception {
        SocketAcceptor acceptor = own(Transport.TCP4.acceptor(directory));
        SocketConnector.Attempt attempt =
                SocketConnector.initiate(acceptor.localAddress(), new InetSocketAddress("127.0.0.2", 0));
        own(attempt.stream());
        SocketStream accepted = own(acceptor.accept(Patience.LIMIT));
        assertEquals("127.0.0.2", ((InetSocketAddress) accepted.remoteAddress()).getAddress().getHostAddress());
    }

    @Test
    void fromALocalAddressThatIsNotOursOrDoesNotFit() throws Exception {
        SocketAcceptor acceptor = own(Transport.TCP4.acceptor(directory));
        SocketAddress address = acceptor.localAddress();
        SystemCallException e = assertThrows(SystemCallException.class,
                () -> SocketConnector.initiate(address, new InetSocketAddress("203.0.113.1", 0)));
        assertEquals("bind 203.0.113.1:0: EADDRNOTAVAIL (address not available on this machine)", e.getMessage());
        assertThrows(IllegalArgumentException.class,
                () -> SocketConnector.initiate(address, new InetSocketAddress("::1", 0)));
    }

    @Test
    void noAnswerInTime() throws Exception {
        SocketAcceptor full = own(SocketAcceptor.unbound(StandardProtocolFamily.INET)
                .bind(new InetSocketAddress("127.0.0.1", 0), 1));
        SocketAddress address = full.localAddress();
        Duration timeout = Duration.ofMillis(50);
        // The kernel drops connections that do not fit in the backlog, without an answer to the client.
        for (int i = 0; i < MORE_THAN_ANY_SMALL_BACKLOG; i++) {
            long start = System.nanoTime();
            try {
                own(SocketConnector.connect(address, timeout));
            } catch (SocketTimeoutException e) {
                assertTrue(System.nanoTime() - start >= timeout.toNanos(), "too early");
                assertEquals("connect " + SocketAddresses.show(address) + ": no answer within PT0.05S", e.getMessage());
                return;
            }
        }
        throw new AssertionError("the backlog was never full");
    }

    @Test
    void negativeTimeIsRefused() throws Exception {
        SocketAcceptor acceptor = own(Transport.UNIX.acceptor(directory));
        assertThrows(IllegalArgumentException.class,
                () -> SocketConnector.connect(acceptor.localAddress(), Duration.ofMillis(-1)));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void fullBacklogOfAUnixListenerIsAnErrorAtOnce() throws Exception {
        SocketAddress address = own(SocketAcceptor.unbound(StandardProtocolFamily.UNIX)
                .bind(Transport.freshPath(directory), 1)).localAddress();
        SystemCallException e = assertThrows(SystemCallException.class, () -> {
            for (int i = 0; i < MORE_THAN_ANY_SMALL_BACKLOG; i++) {
                own(SocketConnector.connect(address, Patience.LIMIT));
            }
        });
        assertEquals("connect " + address + ": EAGAIN (resource temporarily unavailable)", e.getMessage());
    }
}
