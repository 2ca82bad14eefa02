package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Listening and accepting. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class SocketAcceptorTest extends LeakChecked {

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void acceptWithoutAConnectionReturnsNull(Transport transport) throws Exception {
        SocketAcceptor acceptor = own(transport.acceptor(directory));
        assertNull(acceptor.accept());
        own(transport.connect(acceptor));
        assertNull(acceptor.accept(), "accepted only once");
    }

    /** Connections go on coming while one of two is open. */
    @ParameterizedTest
    @EnumSource
    @Tag(CalledSystem.NOT_WINDOWS)
    void duplicatesAreClosedByThemselves(Transport transport) throws Exception {
        SocketAcceptor first = own(transport.acceptor(directory));
        SocketAcceptor second = own(first.duplicate());
        assertEquals(first.toString().replaceFirst("fd \\d+", ""), second.toString().replaceFirst("fd \\d+", ""));
        assertNotEquals(first.toString(), second.toString());
        assertEquals(first.localAddress(), second.localAddress());
        SocketAddress address = transport.addressOf(first);
        own(SocketConnector.connect(address, Patience.LIMIT));
        assertNotNull(own(first.accept(Patience.LIMIT)));
        own(SocketConnector.connect(address, Patience.LIMIT));
        first.close();
        assertThrows(HandleClosedException.class, first::duplicate);
        assertNotNull(own(second.accept(Patience.LIMIT)));
        own(SocketConnector.connect(address, Patience.LIMIT));
        assertNotNull(own(second.accept(Patience.LIMIT)));
        assertNull(second.accept());
    }

    /** A shutdown of the socket, which would end the wait as well, would end the other acceptor. */
    @ParameterizedTest
    @EnumSource
    @Tag(CalledSystem.NOT_WINDOWS)
    void closeDuringAWaitLeavesDuplicatesListening(Transport transport) throws Exception {
        try (FaultInjection faults = FaultInjection.install();
             SocketAcceptor first = transport.acceptor(directory);
             SocketAcceptor second = first.duplicate()) {
            Gate gate = new Gate();
            faults.beforeNth("poll", 1, gate);
            Background<HandleClosedException> waiter = Background.run(() -> assertThrows(
                    HandleClosedException.class, () -> second.accept(Duration.ofSeconds(Long.MAX_VALUE))));
            gate.awaitArrival();
            gate.open();
            Thread.yield();
            second.close();
            assertEquals(second + " is closed", waiter.result().getMessage());
            try (SocketStream client = SocketConnector.connect(transport.addressOf(first), Patience.LIMIT);
                 SocketStream accepted = first.accept(Patience.LIMIT)) {
                assertTrue(client.handle().isOpen());
                assertTrue(accepted.handle().isOpen());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitTimesOutNotTooEarly(Transport transport) throws Exception {
        SocketAcceptor acceptor = own(transport.acceptor(directory));
        Duration timeout = Duration.ofMillis(30);
        long start = System.nanoTime();
        SocketTimeoutException e = assertThrows(SocketTimeoutException.class, () -> acceptor.accept(timeout));
        assertTrue(System.nanoTime() - start >= timeout.toNanos(), "too early");
        assertEquals("accept " + acceptor + ": no connection within PT0.03S", e.getMessage());
        assertThrows(SocketTimeoutException.class, () -> acceptor.accept(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> acceptor.accept(Duration.ofMillis(-1)));
    }

    @ParameterizedTest
    @EnumSource
    void waitEndsWithAConnection(Transport transport) throws Exception {
        SocketAcceptor acceptor = own(transport.acceptor(directory));
        Background<SocketStream> accepted = Background.run(() -> acceptor.accept(Patience.LIMIT));
        own(SocketConnector.connect(transport.addressOf(acceptor), Patience.LIMIT));
        assertNotNull(own(accepted.result()));
    }

    @ParameterizedTest
    @EnumSource
    @Tag(CalledSystem.NOT_WINDOWS)
    void waitEndsWithTheClose(Transport transport) throws Exception {
        for (int i = 0; i < 20; i++) {
            try (FaultInjection faults = FaultInjection.install();
                 SocketAcceptor acceptor = transport.acceptor(directory)) {
                Gate gate = new Gate();
                faults.beforeNth("poll", 1, gate);
                Background<HandleClosedException> waiter = Background.run(() -> assertThrows(
                        HandleClosedException.class, () -> acceptor.accept(Duration.ofSeconds(Long.MAX_VALUE))));
                gate.awaitArrival();
                gate.open();
                Thread.yield();
                acceptor.handle().close();
                assertEquals(acceptor + " is closed", waiter.result().getMessage());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientThatClosesBeforeTheAcceptIsSkipped(Transport transport) throws Exception {
        WineDifference.ACCEPT_FAILS_AFTER_RESET.assumeAbsent();
        SocketAcceptor acceptor = own(transport.acceptor(directory));
        SocketStream quitter = own(SocketConnector.connect(transport.addressOf(acceptor), Patience.LIMIT));
        quitter.setOption(NativeSocketOptions.SO_LINGER, 0);
        quitter.close();
        SocketStream patient = own(SocketConnector.connect(transport.addressOf(acceptor), Patience.LIMIT));
        patient.send(Bytes.heap("x"));

        // Linux returns the lost connection, other systems may skip it.
        ByteBuffer received = ByteBuffer.allocate(1);
        SocketAddress patientAddress = patient.localAddress();
        for (int lost = 0; received.hasRemaining(); lost++) {
            assertTrue(lost < 2, () -> "the connection of " + patientAddress + " never came");
            SocketStream stream = own(acceptor.accept(Patience.LIMIT));
            try {
                stream.receiveFully(received, Patience.LIMIT);
            } catch (SystemCallException e) {
                assertEquals("ECONNRESET", e.errorName());
            }
        }
        assertEquals("x", Bytes.text(received));
    }

    @Test
    void portInUse() throws Exception {
        SocketAcceptor first = own(Transport.TCP4.acceptor(directory));
        int port = ((InetSocketAddress) first.localAddress()).getPort();
        SystemCallException e = assertThrows(SystemCallException.class,
                () -> SocketAcceptor.open(new InetSocketAddress("127.0.0.1", port)));
        assertEquals("bind 127.0.0.1:" + port + ": EADDRINUSE (address already in use)", e.getMessage());
        assertEquals("bind", e.call());
        assertEquals("127.0.0.1:" + port, e.subject());
        assertEquals("EADDRINUSE", e.errorName());
    }

    @Test
    void portInUseOverIpv6ReadsAsAPersonWritesIt() throws Exception {
        SocketAcceptor first = own(Transport.TCP6.acceptor(directory));
        InetSocketAddress address = (InetSocketAddress) first.localAddress();
        SystemCallException e = assertThrows(SystemCallException.class, () -> SocketAcceptor.open(address));
        assertEquals("bind [0:0:0:0:0:0:0:1]:" + address.getPort() + ": EADDRINUSE (address already in use)",
                e.getMessage());
    }

    @Test
    void portIsFreeAgainAtOnceAfterItsConnectionsEnded() throws Exception {
        SocketAcceptor first = own(Transport.TCP4.acceptor(directory));
        SocketAddress address = first.localAddress();
        StreamPair pair = own(Transport.TCP4.connect(first));
        pair.server().close();
        pair.client().close();
        first.close();
        assertEquals(address, own(SocketAcceptor.open(address)).localAddress());
    }

    @Test
    void addressOfAnotherMachine() {
        SystemCallException e = assertThrows(SystemCallException.class,
                () -> SocketAcceptor.open(new InetSocketAddress("203.0.113.1", 0)));
        assertEquals("bind 203.0.113.1:0: EADDRNOTAVAIL (address not available on this machine)", e.getMessage());
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void unixPathThatExistsAndOneWithoutADirectory() throws Exception {
        Path path = Files.createFile(directory.resolve("file"));
        SystemCallException exists = assertThrows(SystemCallException.class,
                () -> SocketAcceptor.open(UnixDomainSocketAddress.of(path)));
        assertEquals("bind " + path + ": EADDRINUSE (address already in use)", exists.getMessage());
        Path nowhere = directory.resolve("missing/socket");
        SystemCallException missing = assertThrows(SystemCallException.class,
                () -> SocketAcceptor.open(UnixDomainSocketAddress.of(nowhere)));
        assertEquals("bind " + nowhere + ": ENOENT (no such file or directory)", missing.getMessage());
    }

    @Test
    void unboundUntilBound() throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.unbound(StandardProtocolFamily.INET));
        assertEquals(new InetSocketAddress("0.0.0.0", 0), acceptor.localAddress());
        // On Windows that would let another program take over the address.
        assertEquals(!CalledSystem.isWindows(), acceptor.getOption(NativeSocketOptions.SO_REUSEADDR));
        assertThrows(IllegalArgumentException.class, () -> acceptor.bind(new InetSocketAddress("127.0.0.1", 0), 0));
        SystemCallException e = assertThrows(SystemCallException.class, acceptor::accept);
        assertEquals("EINVAL", e.errorName());
        acceptor.bind(new InetSocketAddress("127.0.0.1", 0), 1);
        assertNotEquals(0, ((InetSocketAddress) acceptor.localAddress()).getPort());
        own(Transport.TCP4.connect(acceptor));
        SystemCallException again = assertThrows(SystemCallException.class,
                () -> acceptor.bind(new InetSocketAddress("127.0.0.1", 0), 1));
        assertEquals("bind 127.0.0.1:0: EINVAL (invalid argument)", again.getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void allUsesAfterTheCloseAreRejected(Transport transport) throws Exception {
        SocketAcceptor acceptor = own(transport.acceptor(directory));
        SocketAddress address = acceptor.localAddress();
        acceptor.close();
        acceptor.close();
        assertThrows(HandleClosedException.class, acceptor::accept);
        assertThrows(HandleClosedException.class, () -> acceptor.accept(Patience.LIMIT));
        assertThrows(HandleClosedException.class, acceptor::localAddress);
        assertThrows(HandleClosedException.class, () -> acceptor.bind(address, 1));
    }
}
