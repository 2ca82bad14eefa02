package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** System calls that fail or return less than usual. Leaks are checked after each test. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@Tag(CalledSystem.NOT_WINDOWS)
class FailingCallTest extends LeakChecked {

    private static final SocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);

    @TempDir
    Path directory;

    private FaultInjection faults;

    @BeforeEach
    void install() {
        faults = FaultInjection.install();
    }

    @AfterEach
    void restore() {
        faults.close();
    }

    private static SystemCallException assertFails(Errno error, Executable executable) {
        SystemCallException e = assertThrows(SystemCallException.class, executable);
        assertEquals(error, e.error());
        return e;
    }

    @Test
    void shortSendsAndReceivesAreContinued() throws Exception {
        StreamPair pair = own(Transport.UNIX.connect(directory));
        faults.shortenEach("send", 3).shortenEach("recv", 2);
        byte[] content = Bytes.random(20);
        pair.client().sendFully(ByteBuffer.wrap(content), Patience.LIMIT);
        ByteBuffer destination = ByteBuffer.allocate(20);
        assertTrue(pair.server().receiveFully(destination, Patience.LIMIT));
        assertArrayEquals(content, destination.array());
        assertEquals(7, faults.calls("send"));
        assertEquals(10, faults.calls("recv"));
    }

    @Test
    void shortVectorsStopInTheMiddleOfABuffer() throws Exception {
        StreamPair pair = own(Transport.UNIX.connect(directory));
        ByteBuffer[] sources = {Bytes.heap("abc"), Bytes.direct(Bytes.of("def")), Bytes.heap("ghi")};
        faults.shortenNth("sendmsg", 1, 5).shortenNth("recvmsg", 1, 4);
        assertEquals(5, pair.client().send(sources, 0, 3));
        assertArrayEquals(new int[] {3, 2, 0}, positions(sources));
        assertEquals(4, pair.client().send(sources, 0, 3));
        assertArrayEquals(new int[] {3, 3, 3}, positions(sources));

        ByteBuffer[] destinations = {ByteBuffer.allocateDirect(2), ByteBuffer.allocate(3), ByteBuffer.allocate(9)};
        assertEquals(4, pair.server().receive(destinations, 0, 3));
        assertArrayEquals(new int[] {2, 2, 0}, positions(destinations));
        assertEquals(5, pair.server().receive(destinations, 0, 3));
        assertEquals("ab", Bytes.text(destinations[0]));
        assertEquals("cde", Bytes.text(destinations[1]));
        assertEquals("fghi", Bytes.text(destinations[2]));
    }

    @ParameterizedTest
    @EnumSource(value = BufferKind.class, names = {"HEAP", "DIRECT"})
    void shortVectorsWithOneBufferTwice(BufferKind kind) throws Exception {
        StreamPair pair = own(Transport.UNIX.connect(directory));
        ByteBuffer twice = kind.of(Bytes.of("ab"));
        ByteBuffer last = kind.of(Bytes.of("cd"));
        faults.shortenNth("sendmsg", 1, 5).shortenNth("recvmsg", 1, 5);
        assertEquals(5, pair.client().send(new ByteBuffer[] {twice, twice, last}, 0, 3));
        assertEquals(0, twice.remaining());
        assertEquals(1, last.remaining());
        assertEquals(1, pair.client().send(new ByteBuffer[] {twice, twice, last}, 0, 3));

        ByteBuffer repeated = kind.empty(2);
        ByteBuffer lastReceived = kind.empty(2);
        assertEquals(5, pair.server().receive(new ByteBuffer[] {repeated, repeated, lastReceived}, 0, 3));
        assertEquals("ab", new String(kind.received(repeated)));
        assertEquals("c", new String(kind.received(lastReceived)));
        assertEquals(1, pair.server().receive(new ByteBuffer[] {repeated, repeated, lastReceived}, 0, 3));
        assertEquals("cd", new String(kind.received(lastReceived)));
    }

    private static int[] positions(ByteBuffer[] buffers) {
        int[] positions = new int[buffers.length];
        for (int i = 0; i < buffers.length; i++) {
            positions[i] = buffers[i].position();
        }
        return positions;
    }

    @Test
    void shortFileCalls() throws Exception {
        FileHandle file = own(FileHandle.open(Files.writeString(directory.resolve("file"), "0123456789")));
        ByteBuffer[] destinations = {ByteBuffer.allocate(2), ByteBuffer.allocate(5)};
        faults.shortenNth("pread", 1, 4).shortenNth("preadv", 1, 3);
        assertEquals(4, file.read(destinations[1], 0));
        assertEquals("0123", Bytes.text(destinations[1]));
        assertEquals(3, file.read(new ByteBuffer[] {destinations[0], destinations[1].clear()}, 0, 2, 5));
        assertEquals("56", Bytes.text(destinations[0]));
        assertEquals("7", Bytes.text(destinations[1]));
    }

    @ParameterizedTest
    @EnumSource
    void tooManyOpenFilesLeaveTheConnectionInTheBacklog(Transport transport) throws Exception {
        SocketAcceptor acceptor = own(transport.acceptor(directory));
        own(SocketConnector.connect(transport.addressOf(acceptor), Patience.LIMIT));
        Patience.awaitReadable(acceptor);
        faults.failNth("accept4", 1, Errno.EMFILE).failNth("accept4", 2, Errno.EMFILE);
        SystemCallException e = assertFails(Errno.EMFILE, acceptor::accept);
        assertEquals("accept " + acceptor + ": EMFILE (too many open files in this process)", e.getMessage());
        assertFails(Errno.EMFILE, () -> acceptor.accept(Patience.LIMIT));
        assertEquals(0, own(acceptor.accept()).receive(ByteBuffer.allocate(1)));
        assertNull(acceptor.accept());
    }

    @ParameterizedTest
    @EnumSource(value = Errno.class, names = {"ECONNABORTED", "EPROTO", "ENETDOWN", "ENETUNREACH", "EHOSTUNREACH"})
    void acceptSkipsConnectionsThatFailedBefore(Errno error) throws Exception {
        SocketAcceptor acceptor = own(Transport.TCP4.acceptor(directory));
        own(SocketConnector.connect(acceptor.localAddress(), Patience.LIMIT));
        Patience.awaitReadable(acceptor);
        faults.failNth("accept4", 1, error);
        own(acceptor.accept());
        faults.failNth("accept4", 1, error);
        assertNull(acceptor.accept());
    }

    @Test
    void noDescriptorForASocketOrPipe() throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.open(ANY_PORT));
        faults.failEach("socket", Errno.EMFILE).failEach("pipe2", Errno.ENFILE);
        SystemCallException e = assertFails(Errno.EMFILE, () -> SocketAcceptor.open(ANY_PORT));
        assertEquals("socket tcp acceptor: EMFILE (too many open files in this process)", e.getMessage());
        assertFails(Errno.EMFILE, () -> SocketDatagram.open(ANY_PORT));
        assertFails(Errno.EMFILE, () -> SocketConnector.connect(acceptor.localAddress(), Patience.LIMIT));
        SystemCallException pipe = assertFails(Errno.ENFILE, Pipe::open);
        assertEquals("pipe2 pipe: ENFILE (too many open files in the system)", pipe.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"setsockopt", "bind", "listen", "getsockname"})
    void acceptorThatDoesNotOpenReleasesItsDescriptor(String function) {
        faults.failNth(function, 1, Errno.ENOBUFS);
        assertTrue(assertFails(Errno.ENOBUFS, () -> SocketAcceptor.open(ANY_PORT)).call().startsWith(function));
        assertEquals(1, faults.calls("close"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bind", "getsockname"})
    void datagramThatDoesNotOpenReleasesItsDescriptor(String function) {
        faults.failNth(function, 1, Errno.ENOBUFS);
        assertEquals(function, assertFails(Errno.ENOBUFS, () -> SocketDatagram.open(ANY_PORT)).call());
        assertEquals(1, faults.calls("close"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect", "poll", "getsockopt"})
    void failedConnectionReleasesItsDescriptor(String function) throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.open(ANY_PORT));
        faults.failNth(function, 1, Errno.ENOMEM);
        assertFails(Errno.ENOMEM, () -> SocketConnector.connect(acceptor.localAddress(), Patience.LIMIT));
        assertEquals(1, faults.calls("close"));
    }

    @Test
    void unnamedErrorKeepsItsNumber() {
        SystemCallException e = new SystemCallException("frobnicate", "gadget", -4095);
        assertEquals("frobnicate gadget: error 4095", e.getMessage());
        assertEquals("UNKNOWN", e.errorName());
    }
}
