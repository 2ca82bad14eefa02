package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.system.Scratch;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Datagrams over UDP and Unix domain sockets. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class SocketDatagramTest extends LeakChecked {

    private static final int TOO_LONG_FOR_UDP = 65_508;

    enum Network {
        UDP4, UDP6, UNIX;

        SocketDatagram open(Path directory) throws Exception {
        assumeFalse(this == UNIX && CalledSystem.isWindows(), "Windows has no Unix domain datagrams");
            return SocketDatagram.open(switch (this) {
                case UDP4 -> new InetSocketAddress("127.0.0.1", 0);
                case UDP6 -> new InetSocketAddress("::1", 0);
                case UNIX -> Transport.freshPath(directory);
            });
        }
    }

    @TempDir
    Path directory;

    static Errno errorWithoutPeer() {
        return WineDifference.SEND_WITHOUT_PEER_IS_INVALID.isPresent() ? Errno.EINVAL : Errno.EDESTADDRREQ;
    }

    /** {@return the reported length of a truncated datagram: on Windows the minimum possible length} */
    private static int lengthOf(int sent, int capacity) {
        return CalledSystem.isWindows() ? capacity + 1 : sent;
    }

    private SocketDatagram open(Network network) throws Exception {
        return own(network.open(directory));
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfBufferCarries(Network network) throws Exception {
        SocketDatagram from = open(network);
        SocketDatagram to = open(network);
        byte length = 1;
        for (BufferKind sending : BufferKind.values()) {
            for (BufferKind receiving : BufferKind.values()) {
                if (receiving.isWritable()) {
                    byte[] content = Bytes.random(length++);
                    ByteBuffer source = sending.of(content);
                    assertTrue(from.send(source, to.localAddress()));
                    assertEquals(0, source.remaining());
                    ByteBuffer destination = receiving.empty(length + 100);
                    Patience.awaitReadable(to);
                    assertEquals(content.length, to.receive(destination, null));
                    assertArrayEquals(content, receiving.received(destination), sending + " to " + receiving);
                }
            }
        }
        assertThrows(IllegalArgumentException.class, () -> to.receive(BufferKind.READ_ONLY_HEAP.empty(1), null));
    }

    @ParameterizedTest
    @EnumSource
    void emptyDatagramIsNotNone(Network network) throws Exception {
        SocketDatagram from = open(network);
        SocketDatagram to = open(network);
        ByteBuffer destination = ByteBuffer.allocate(10);
        assertEquals(SocketDatagram.NONE, to.receive(destination, null));
        assertTrue(from.send(ByteBuffer.allocate(0), to.localAddress()));
        assertTrue(from.send(ByteBuffer.allocateDirect(0), to.localAddress()));
        assertEmptyDatagrams(2, from, to);
    }

    private static void assertEmptyDatagrams(int count, SocketDatagram from, SocketDatagram to) throws Exception {
        ByteBuffer destination = ByteBuffer.allocate(10);
        PeerAddress sender = new PeerAddress();
        for (int i = 0; i < count; i++) {
            Patience.awaitReadable(to);
            assertEquals(0, to.receive(destination, sender), "datagram " + i);
            assertEquals(from.localAddress(), sender.toSocketAddress());
        }
        assertEquals(SocketDatagram.NONE, to.receive(destination, null));
        assertEquals(0, destination.position());
    }

    @ParameterizedTest
    @EnumSource
    void truncatedDatagramReportsItsFullLength(Network network) throws Exception {
        SocketDatagram from = open(network);
        SocketDatagram to = open(network);
        for (BufferKind kind : new BufferKind[] {BufferKind.HEAP_SLICE, BufferKind.DIRECT_SLICE}) {
            for (int size : new int[] {4, 0}) {
                from.send(Bytes.heap("cut off"), to.localAddress());
                ByteBuffer destination = kind.empty(size);
                Patience.awaitReadable(to);
                assertEquals(lengthOf(7, size), to.receive(destination, null), kind + " of capacity " + size);
                assertArrayEquals(Arrays.copyOf(Bytes.of("cut off"), size), kind.received(destination));
            }
        }
        assertEquals(SocketDatagram.NONE, to.receive(ByteBuffer.allocate(10), null), "the rest is lost");
    }

    @ParameterizedTest
    @EnumSource
    void replyIsReceivedByTheSender(Network network) throws Exception {
        SocketDatagram server = open(network);
        SocketDatagram[] clients = {open(network), open(network)};
        PeerAddress sender = new PeerAddress();
        ByteBuffer destination = ByteBuffer.allocateDirect(10);
        for (int i = 0; i < 4; i++) {
            SocketDatagram client = clients[i % 2];
            client.send(Bytes.heap("ask " + i), server.localAddress());
            Patience.awaitReadable(server);
            assertEquals(5, server.receive(destination.clear(), sender));
            assertTrue(server.send(destination.flip(), sender));
            Patience.awaitReadable(client);
            assertEquals(5, client.receive(destination.clear(), sender));
            assertEquals("ask " + i, Bytes.text(destination));
            assertEquals(server.localAddress(), sender.toSocketAddress());
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectedSocketNeedsNoAddress(Network network) throws Exception {
        SocketDatagram a = open(network);
        SocketDatagram b = open(network);
        SystemCallException e = assertThrows(SystemCallException.class, () -> a.send(Bytes.heap("to whom?")));
        assertEquals(network == Network.UNIX ? Errno.ENOTCONN : errorWithoutPeer(), e.error());
        a.connect(b.localAddress());
        assertTrue(a.send(Bytes.heap("single")));
        ByteBuffer destination = ByteBuffer.allocate(20);
        Patience.awaitReadable(b);
        assertEquals(6, b.receive(destination, null));
        assertEquals("single", Bytes.text(destination));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNIX")
    void refusalComesBackToAConnectedSocket(Network network) throws Exception {
        WineDifference.REFUSED_DATAGRAM_IS_NOT_REPORTED.assumeAbsent();
        SocketDatagram a = open(network);
        SocketDatagram refusing = open(network);
        // Connected to itself: it keeps its port and receives only from itself.
        refusing.connect(refusing.localAddress());
        a.connect(refusing.localAddress());
        assertTrue(a.send(Bytes.heap("anyone there?")));
        Patience.awaitReadable(a);
        SystemCallException e = assertThrows(SystemCallException.class, () -> a.receive(ByteBuffer.allocate(1), null));
        assertEquals("ECONNREFUSED", e.errorName());
        assertEquals("recvfrom", e.call());
        assertEquals(SocketDatagram.NONE, a.receive(ByteBuffer.allocate(1), null), "reported once");
    }

    @Test
    void tooLongForUdp() throws Exception {
        SocketDatagram from = open(Network.UDP4);
        SocketDatagram to = open(Network.UDP4);
        ByteBuffer heap = ByteBuffer.allocate(TOO_LONG_FOR_UDP);
        ByteBuffer tooMuchForTheCopy = ByteBuffer.allocate(2 * Scratch.COPY_SIZE);
        ByteBuffer direct = ByteBuffer.allocateDirect(TOO_LONG_FOR_UDP);
        for (ByteBuffer source : new ByteBuffer[] {heap, tooMuchForTheCopy, direct}) {
            assertTooLong(() -> from.send(source, to.localAddress()));
            assertEquals(0, source.position());
        }
        assertTrue(from.send(heap.limit(TOO_LONG_FOR_UDP - 1), to.localAddress()));
        Patience.awaitReadable(to);
        assertEquals(TOO_LONG_FOR_UDP - 1, to.receive(direct, null));
        assertEquals(TOO_LONG_FOR_UDP - 1, direct.position());
    }

    private static void assertTooLong(Executable send) {
        assertEquals("EMSGSIZE", assertThrows(SystemCallException.class, send).errorName());
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void largeHeapBufferIsOneUnixDatagram() throws Exception {
        SocketDatagram from = open(Network.UNIX);
        SocketDatagram to = open(Network.UNIX);
        byte[] content = Bytes.random(100_000);
        assertTrue(from.send(ByteBuffer.wrap(content), to.localAddress()));
        assertTrue(from.send(ByteBuffer.wrap(content), to.localAddress()));
        ByteBuffer destination = ByteBuffer.allocate(content.length);
        assertEquals(content.length, to.receive(destination, null));
        assertArrayEquals(content, destination.array());

        ByteBuffer less = BufferKind.HEAP_SLICE.empty(70_000);
        assertEquals(content.length, to.receive(less, null));
        assertArrayEquals(Arrays.copyOf(content, 70_000), BufferKind.HEAP_SLICE.received(less));
        assertEquals(SocketDatagram.NONE, to.receive(destination.clear(), null));
    }

    static Stream<Arguments> sizesAndKinds() {
        return Stream.of(1, 65_535, 65_536, 65_537, 100_000, 200_000)
                .flatMap(size -> Arrays.stream(BufferKind.values()).map(kind -> Arguments.of(size, kind)));
    }

    @ParameterizedTest
    @MethodSource("sizesAndKinds")
    void datagramsOfAnySizeArriveWholeOrTruncated(int size, BufferKind kind) throws Exception {
        SocketDatagram from = open(Network.UNIX);
        SocketDatagram to = open(Network.UNIX);
        from.connect(to.localAddress());
        byte[] content = Bytes.random(size);
        for (int capacity : new int[] {size + 10, size, size - 1, size / 2}) {
            ByteBuffer source = kind.of(content);
            assertTrue(from.send(source));
            assertEquals(0, source.remaining());
            ByteBuffer destination = writable(kind).empty(capacity);
            PeerAddress sender = new PeerAddress();
            assertEquals(size, to.receive(destination, sender), "full length, capacity " + capacity);
            assertArrayEquals(Arrays.copyOf(content, Math.min(size, capacity)), writable(kind).received(destination),
                    "capacity " + capacity);
            assertEquals(from.localAddress(), sender.toSocketAddress());
        }
    }

    private static BufferKind writable(BufferKind kind) {
        return switch (kind) {
            case READ_ONLY_HEAP -> BufferKind.HEAP;
            case READ_ONLY_DIRECT -> BufferKind.DIRECT;
            default -> kind;
        };
    }

    @Test
    void tooLongFromTheHeapIsRefusedAndNoPartOfItIsSent() throws Exception {
        SocketDatagram from = open(Network.UNIX);
        SocketDatagram to = open(Network.UNIX);
        ByteBuffer source = ByteBuffer.allocate(64 << 20);
        assertTooLong(() -> from.send(source, to.localAddress()));
        assertEquals(0, source.position());
        assertEquals(SocketDatagram.NONE, to.receive(ByteBuffer.allocate(1), null));
    }

    @Test
    void fullSocketTakesNoMore() throws Exception {
        SocketDatagram from = open(Network.UNIX);
        SocketDatagram to = open(Network.UNIX);
        ByteBuffer source = ByteBuffer.allocate(1000);
        int sent = 0;
        while (from.send(source.clear(), to.localAddress())) {
            assertTrue(++sent < 1_000_000, "the socket buffer is never full");
        }
        assertEquals(1000, source.remaining());
        assertFalse(from.send(source, to.localAddress()));
        assertEquals(1000, source.remaining());
        assertEquals(1000, to.receive(ByteBuffer.allocate(1000), null));
        assertTrue(from.send(source, to.localAddress()));
    }

    @Test
    void bindReportsAddressesInUseAndOfOtherMachines() throws Exception {
        SocketDatagram first = open(Network.UDP4);
        InetSocketAddress address = (InetSocketAddress) first.localAddress();
        SystemCallException used = assertThrows(SystemCallException.class, () -> SocketDatagram.open(address));
        assertEquals("bind 127.0.0.1:" + address.getPort() + ": EADDRINUSE (address already in use)",
                used.getMessage());
        if (!WineDifference.BIND_TO_FOREIGN_ADDRESS.isPresent()) {
            assertThrows(SystemCallException.class,
                    () -> SocketDatagram.open(new InetSocketAddress("203.0.113.1", 0)));
        }
        assertTrue(first.toString().startsWith("udp 127.0.0.1:" + address.getPort() + " (fd "), first::toString);
    }

    @Test
    void allUsesAfterTheCloseAreRejected() throws Exception {
        SocketDatagram closed = own(SocketDatagram.unbound(StandardProtocolFamily.INET));
        InetSocketAddress peer = new InetSocketAddress("127.0.0.1", 9);
        closed.close();
        Executable[] uses = {
            () -> closed.send(ByteBuffer.allocate(1)),
            () -> closed.send(ByteBuffer.allocate(100_000), peer),
            () -> closed.receive(ByteBuffer.allocate(100_000), null),
            () -> closed.receive(ByteBuffer.allocateDirect(1), null),
            () -> closed.connect(peer),
            () -> closed.bind(peer),
        };
        for (int i = 0; i < uses.length; i++) {
            assertThrows(HandleClosedException.class, uses[i], "use " + i);
        }
    }
}
