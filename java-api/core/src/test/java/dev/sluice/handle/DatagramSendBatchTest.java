package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Emulator;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;
import dev.sluice.handle.SocketDatagramTest.Network;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several datagrams sent in one call, and one by one if the system lacks that call. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class DatagramSendBatchTest extends LeakChecked {

    private static final boolean ON_LINUX = Platform.CURRENT.os() == Platform.Os.LINUX;
    private static final int TOO_LONG_FOR_UDP = 65_508;

    @TempDir
    Path directory;

    private FaultInjection faults;

    private SocketDatagram open(Network network) throws Exception {
        return own(network.open(directory));
    }

    private SocketDatagram open() throws Exception {
        return open(Network.UDP4);
    }

    private DatagramSendBatch batch(SocketDatagram socket, int capacity, int maxDatagramSize) throws IOException {
        return own(new DatagramSendBatch(socket, capacity, maxDatagramSize));
    }

    private void oneByOne(boolean wanted) {
        if (wanted) {
            assumeTrue(ON_LINUX, "it is the only way here");
            faults().failEach("sendmmsg", Errno.ENOSYS);
        }
    }

    private FaultInjection faults() {
        faults = FaultInjection.install();
        return faults;
    }

    @AfterEach
    void closeFaults() {
        if (faults != null) {
            faults.close();
        }
    }

    private static PeerAddress addressOf(SocketDatagram socket) throws IOException {
        return PeerAddress.of(socket.localAddress());
    }

    private static byte[] receive(SocketDatagram socket, SocketDatagram expectedSender) throws Exception {
        Patience.awaitReadable(socket);
        ByteBuffer destination = ByteBuffer.allocate(100_000);
        PeerAddress sender = new PeerAddress();
        assertTrue(socket.receive(destination, sender) >= 0);
        assertEquals(expectedSender.localAddress(), sender.toSocketAddress());
        return Bytes.before(destination);
    }

    private static void assertNothingCame(SocketDatagram socket) throws IOException {
        assertEquals(SocketDatagram.NONE, socket.receive(ByteBuffer.allocate(1), null));
    }

    @ParameterizedTest
    @EnumSource
    void datagramsAreSentToTheirPeers(Network network) throws Exception {
        datagramsAreSentToTheirPeers(network, false);
    }

    @ParameterizedTest
    @EnumSource
    void datagramsAreSentToTheirPeersIndividually(Network network) throws Exception {
        datagramsAreSentToTheirPeers(network, true);
    }

    private void datagramsAreSentToTheirPeers(Network network, boolean oneByOne) throws Exception {
        oneByOne(oneByOne);
        SocketDatagram from = open(network);
        SocketDatagram one = open(network);
        SocketDatagram other = open(network);
        DatagramSendBatch batch = batch(from, 3, 4);
        assertEquals(0, batch.send(), "nothing to send");
        // More datagrams than the capacity, so that each slot is reused.
        for (byte round = 0; round < 5; round++) {
            assertTrue(batch.add(ByteBuffer.wrap(new byte[] {1, 2, 3, round}), addressOf(one)));
            assertTrue(batch.add(ByteBuffer.allocateDirect(0), addressOf(other)));
            assertEquals(2, batch.count());
            assertTrue(batch.add(ByteBuffer.wrap(new byte[] {4, round}), addressOf(one)));
            ByteBuffer rejected = ByteBuffer.allocate(1);
            assertFalse(batch.add(rejected, addressOf(one)), "full");
            assertEquals(1, rejected.remaining());
            assertEquals(3, batch.send());
            assertEquals(0, batch.count());
            assertArrayEquals(new byte[] {1, 2, 3, round}, receive(one, from));
            assertArrayEquals(new byte[] {4, round}, receive(one, from));
            assertArrayEquals(new byte[0], receive(other, from));
        }
        assertNothingCame(one);
        assertNothingCame(other);
    }

    @Test
    void aSendIsOneCall() throws Exception {
        assumeTrue(ON_LINUX, "no other system has a call for several");
        faults();
        SocketDatagram from = open();
        SocketDatagram to = open();
        DatagramSendBatch batch = batch(from, 8, 4);
        PeerAddress peer = addressOf(to);
        for (int i = 0; i < 8; i++) {
            assertTrue(batch.add(ByteBuffer.allocate(4), peer));
        }
        long calls = faults.calls();
        assertEquals(8, batch.send());
        assertEquals(1, faults.calls() - calls);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connectedSocketNeedsNoAddress(boolean oneByOne) throws Exception {
        oneByOne(oneByOne);
        SocketDatagram from = open();
        SocketDatagram to = open();
        SocketDatagram third = open();
        DatagramSendBatch batch = batch(from, 4, 4);
        PeerAddress elsewhere = addressOf(third);
        assertTrue(batch.add(Bytes.heap("none")));
        SystemCallException e = assertThrows(SystemCallException.class, batch::send);
        assertEquals(SocketDatagramTest.errorWithoutPeer(), e.error());
        from.connect(to.localAddress());
        // The slots have held addresses before.
        batch.clear();
        for (int i = 0; i < 4; i++) {
            assertTrue(batch.add(Bytes.heap("away"), elsewhere));
        }
        batch.clear();
        assertEquals(0, batch.count());
        assertTrue(batch.add(Bytes.heap("one")));
        assertTrue(batch.add(Bytes.heap("two")));
        if (!oneByOne) {
            Emulator.deviatesInControlData();
        }
        assertEquals(2, batch.send());
        assertArrayEquals(Bytes.of("one"), receive(to, from));
        assertArrayEquals(Bytes.of("two"), receive(to, from));
        assertNothingCame(third);
    }

    @ParameterizedTest
    @EnumSource
    void addedDatagramIsCopied(BufferKind kind) throws Exception {
        SocketDatagram from = open();
        SocketDatagram to = open();
        DatagramSendBatch batch = batch(from, 1, 100);
        byte[] content = Bytes.random(100);
        ByteBuffer source = kind.of(content);
        PeerAddress peer = addressOf(to);
        assertTrue(batch.add(source, peer));
        assertEquals(0, source.remaining());
        if (kind.isWritable()) {
            source.clear();
            source.put(new byte[source.remaining()]);
        }
        batch.send();
        assertArrayEquals(content, receive(to, from));
    }

    /** The receiver's buffer is full after a number of datagrams: each call returns exactly how many were sent. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theRestStaysWhenTheSocketIsFull(boolean oneByOne) throws Exception {
        oneByOne(oneByOne);
        SocketDatagram from = open(Network.UNIX);
        SocketDatagram to = open(Network.UNIX);
        PeerAddress peer = addressOf(to);
        DatagramSendBatch batch = batch(from, 512, Integer.BYTES);
        ByteBuffer source = ByteBuffer.allocate(Integer.BYTES);
        int added = 0;
        int sent = 0;
        int received = 0;
        boolean full = false;
        while (received < 5_000) {
            while (batch.add(source.clear().putInt(0, added), peer)) {
                added++;
            }
            int before = batch.count();
            int now = batch.send();
            sent += now;
            assertEquals(before - now, batch.count());
            assertEquals(added - sent, batch.count());
            full |= batch.count() > 0;
            // An odd number, so that the first of the remaining datagrams is in a different slot each time.
            for (int i = 0; i < 7 && received < sent; i++) {
                byte[] datagram = receive(to, from);
                assertEquals(received++, ByteBuffer.wrap(datagram).getInt());
            }
        }
        assertTrue(full, "the socket buffer is never full");
        for (batch.clear(); received < sent; received++) {
            assertEquals(received, ByteBuffer.wrap(receive(to, from)).getInt());
        }
        assertNothingCame(to);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void errorNamesThePeerAndLosesNoDatagrams(boolean oneByOne) throws Exception {
        oneByOne(oneByOne);
        SocketDatagram from = open();
        SocketDatagram to = open();
        SocketDatagram other = open();
        DatagramSendBatch batch = batch(from, 3, TOO_LONG_FOR_UDP);
        assertTrue(batch.add(Bytes.heap("first"), addressOf(to)));
        assertTrue(batch.add(ByteBuffer.allocate(TOO_LONG_FOR_UDP), addressOf(other)));
        assertTrue(batch.add(Bytes.heap("third"), addressOf(to)));
        for (int i = 0; i < 2; i++) {
            SystemCallException e = assertThrows(SystemCallException.class, batch::send);
            assertEquals("EMSGSIZE", e.errorName());
            assertEquals("sendmmsg", e.call());
            assertEquals(from.handle(), e.handle());
            InetSocketAddress about = (InetSocketAddress) other.localAddress();
            assertEquals(from + " to 127.0.0.1:" + about.getPort(), e.subject());
            assertEquals(2, batch.count(), "what is left");
        }
        assertArrayEquals(Bytes.of("first"), receive(to, from));
        assertNothingCame(to);
        batch.skip();
        assertEquals(1, batch.send());
        assertArrayEquals(Bytes.of("third"), receive(to, from));
        assertThrows(IllegalStateException.class, batch::skip);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void refusalOfAnEarlierDatagramIsThrownOnce(boolean oneByOne) throws Exception {
        WineDifference.REFUSED_DATAGRAM_IS_NOT_REPORTED.assumeAbsent();
        oneByOne(oneByOne);
        SocketDatagram from = open();
        SocketDatagram refusing = open();
        // Connected to itself: it keeps its port and receives only from itself.
        refusing.connect(refusing.localAddress());
        from.connect(refusing.localAddress());
        DatagramSendBatch batch = batch(from, 2, 10);
        batch.add(Bytes.heap("anyone?"));
        assertEquals(1, batch.send());
        Patience.awaitReadable(from);
        batch.add(Bytes.heap("hello?"));
        assertEquals("ECONNREFUSED", assertThrows(SystemCallException.class, batch::send).errorName());
        assertEquals(1, batch.count());
        assertEquals(1, batch.send());
    }

    @Test
    void anInterruptedCallIsRepeated() throws Exception {
        assumeTrue(ON_LINUX, "names the calls of Linux");
        faults().failNth("sendmmsg", 1, Errno.EINTR);
        SocketDatagram from = open();
        SocketDatagram to = open();
        DatagramSendBatch batch = batch(from, 2, 10);
        batch.add(Bytes.heap("one"), addressOf(to));
        assertEquals(1, batch.send());
        assertArrayEquals(Bytes.of("one"), receive(to, from));
    }

    @Test
    void rejectsInvalidArguments() throws Exception {
        SocketDatagram socket = open();
        PeerAddress peer = addressOf(socket);
        assertThrows(IllegalArgumentException.class, () -> new DatagramSendBatch(socket, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new DatagramSendBatch(socket, 1025, 1));
        assertThrows(IllegalArgumentException.class, () -> new DatagramSendBatch(socket, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new DatagramSendBatch(socket, 1024, Integer.MAX_VALUE));
        DatagramSendBatch batch = batch(socket, 1, 1);
        ByteBuffer tooLong = ByteBuffer.allocate(2);
        assertThrows(IllegalArgumentException.class, () -> batch.add(tooLong, peer));
        assertThrows(IllegalArgumentException.class, () -> batch.add(tooLong));
        assertEquals(2, tooLong.remaining());
        assertThrows(IllegalArgumentException.class, () -> batch.add(ByteBuffer.allocate(1), new PeerAddress()));
        assertEquals(0, batch.count());
        assertTrue(batch.add(ByteBuffer.allocate(1), peer));
        socket.close();
        assertThrows(HandleClosedException.class, batch::send);
        assertEquals(1, batch.count());
        batch.close();
        assertEquals(0, batch.count());
        assertThrows(IllegalStateException.class, () -> batch.add(ByteBuffer.allocate(1), peer));
        assertThrows(IllegalStateException.class, batch::send);
    }
}
