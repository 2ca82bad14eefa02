package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.DatagramBatch;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AsyncDatagramTest extends ProactorContract {

    @TempDir
    Path directory;

    private int sockets;

    private SocketDatagram udp() throws IOException {
        return own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
    }

    private SocketDatagram unixDatagram() throws IOException {
        return own(SocketDatagram.open(UnixDomainSocketAddress.of(directory.resolve("datagram" + sockets++))));
    }

    private AsyncDatagram async(SocketDatagram datagram) throws IOException {
        return new AsyncDatagram(proactor, datagram, recorder);
    }

    private void exchange(SocketDatagram one, SocketDatagram two) throws IOException {
        AsyncDatagram near = async(one);
        AsyncDatagram far = async(two);
        for (ByteBuffer room : List.of(ByteBuffer.allocate(64), ByteBuffer.allocateDirect(64))) {
            Object receive = new Object();
            Object send = new Object();
            PeerAddress sender = new PeerAddress();
            far.receive(room, sender, receive);
            ByteBuffer source = room.isDirect() ? direct("a datagram") : heap("a datagram");
            near.send(source, one.peer(two.localAddress()), send);
            assertEquals(10, result(send).bytes());
            assertFalse(source.hasRemaining());
            assertEquals(10, result(receive).bytes());
            assertReceived("a datagram", room);
            assertEquals(one.localAddress(), sender.toSocketAddress());
            assertEquals(OperationType.SEND_TO, recorder.last(send).type());
            assertEquals(OperationType.SEND_TO, recorder.last(send).type());
            assertEquals(OperationType.RECEIVE_FROM, recorder.last(receive).type());
            assertEquals(OperationType.RECEIVE_FROM, recorder.last(receive).type());
            // The answer goes to where the question came from.
            Object answer = new Object();
            near.receive(room.clear(), null, answer);
            far.send(heap("!"), sender, null);
            assertEquals(1, result(answer).bytes());
        }
    }

    @Test
    void whatMayArriveJoinedIsNotReceivedSingly() throws Exception {
        SocketDatagram socket = udp();
        AsyncDatagram datagrams = async(socket);
        try (DatagramBatch joined = DatagramBatch.coalesced(socket, 1)) {
            assumeTrue(isJoining(socket), "before Linux 5.0");
            ByteBuffer room = ByteBuffer.allocate(64);
            assertThrows(IllegalStateException.class, () -> datagrams.receive(room, null, null));
            assertThrows(IllegalStateException.class, () -> datagrams.receiveFuture(room, null));
            Object send = new Object();
            datagrams.send(heap("to itself"), socket.peer(socket.localAddress()), send);
            assertEquals(9, result(send).bytes());
            assertEquals(1, joined.receive());
        }
    }

    private static boolean isJoining(SocketDatagram socket) {
        try {
            socket.requireSeparate();
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    @Test
    void goOverIpv4() throws Exception {
        exchange(udp(), udp());
    }

    @Test
    void goOverIpv6() throws Exception {
        SocketAddress loopback = new InetSocketAddress("::1", 0);
        SocketDatagram first = null;
        try {
            first = own(SocketDatagram.open(loopback));
        } catch (SystemCallException e) {
            assumeTrue(!e.errorName().equals("EAFNOSUPPORT") && !e.errorName().equals("EADDRNOTAVAIL"), "no IPv6 here");
            throw e;
        }
        exchange(first, own(SocketDatagram.open(loopback)));
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void goOverUnixDomainSockets() throws Exception {
        exchange(unixDatagram(), unixDatagram());
    }

    @Test
    void aConnectedSocketNeedsNoAddress() throws Exception {
        SocketDatagram one = udp();
        SocketDatagram two = udp();
        one.connect(two.localAddress());
        two.connect(one.localAddress());
        ByteBuffer room = ByteBuffer.allocate(8);
        async(one).receive(room, null, "receive");
        async(two).send(heap("x"), null, "send");
        assertEquals(1, result("receive").bytes());
        assertEquals(1, result("send").bytes());
        assertReceived("x", room);
    }

    @Test
    void receiveReportsTheFullLengthOfATruncatedDatagram() throws Exception {
        SocketDatagram one = udp();
        SocketDatagram two = udp();
        AsyncDatagram receiving = async(two);
        for (ByteBuffer room : List.of(ByteBuffer.allocate(4), ByteBuffer.allocateDirect(4))) {
            Object receive = new Object();
            receiving.receive(room, null, receive);
            one.send(heap("too long"), two.localAddress());
            assertEquals(8, result(receive).bytes());
            assertReceived("too ", room);
        }
    }

    @Test
    void anEmptyOneIsNotTheEnd() throws Exception {
        SocketDatagram one = udp();
        SocketDatagram two = udp();
        AsyncDatagram receiving = async(two);
        receiving.receive(ByteBuffer.allocate(4), null, "empty");
        async(one).send(ByteBuffer.allocate(0), one.peer(two.localAddress()), "send");
        CompletionRecorder.Result empty = result("empty");
        assertTrue(empty.isSuccess());
        assertEquals(0, empty.bytes());
        assertFalse(empty.end());
        assertTrue(result("send").isSuccess());
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void arriveEachInAReceiveOfItsOwnInOrder() throws Exception {
        SocketDatagram one = unixDatagram();
        SocketDatagram two = unixDatagram();
        AsyncDatagram from = async(one);
        AsyncDatagram to = async(two);
        ByteBuffer[] rooms = new ByteBuffer[50];
        for (int i = 0; i < rooms.length; i++) {
            rooms[i] = ByteBuffer.allocate(8);
            to.receive(rooms[i], null, i);
        }
        for (int i = 0; i < rooms.length; i++) {
            from.send(heap("n" + i), one.peer(two.localAddress()), "send " + i);
        }
        runUntil(() -> recorder.over() == 2 * rooms.length);
        for (int i = 0; i < rooms.length; i++) {
            assertReceived("n" + i, rooms[i]);
        }
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void failuresNameThePeer() throws Exception {
        SocketDatagram one = unixDatagram();
        UnixDomainSocketAddress missing = UnixDomainSocketAddress.of(directory.resolve("missing"));
        AsyncDatagram datagram = async(one);
        datagram.send(heap("x"), one.peer(missing), "send");
        CompletionRecorder.Result failed = result("send");
        assertTrue(failed.isFailure());
        assertEquals("sendmsg " + datagram + " to " + missing + ": ENOENT (no such file or directory)",
                failed.error().getMessage());
        datagram.send(ByteBuffer.allocateDirect(16 * 1024 * 1024), one.peer(one.localAddress()), "too long");
        assertEquals("EMSGSIZE", ((SystemCallException) result("too long").error()).errorName());
        assertThrows(IllegalArgumentException.class, () -> datagram.send(heap("x"), new PeerAddress(), null));
    }

    @Test
    void areCancelledByTheClose() throws Exception {
        AsyncDatagram datagram = async(udp());
        datagram.receive(ByteBuffer.allocate(8), new PeerAddress(), 1);
        datagram.receive(ByteBuffer.allocate(8), new PeerAddress(), 2);
        runUntilIdle();
        datagram.close();
        assertTrue(result(1).isCancelled());
        assertTrue(result(2).isCancelled());
    }
}
