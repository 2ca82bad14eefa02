package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Emulator;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Platform;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several datagrams in one call, and one by one if the system lacks that call. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class DatagramBatchTest extends LeakChecked {

    private static final boolean ON_LINUX = Platform.CURRENT.os() == Platform.Os.LINUX;

    private FaultInjection faults;

    private SocketDatagram open() throws IOException {
        return own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
    }

    private DatagramBatch batch(SocketDatagram socket, int capacity, int maxDatagramSize) throws IOException {
        return own(new DatagramBatch(socket, capacity, maxDatagramSize));
    }

    private void oneByOne(boolean wanted) {
        if (wanted) {
            assumeTrue(ON_LINUX, "it is the only way here");
            faults = FaultInjection.install().failEach("recvmmsg", Errno.ENOSYS);
        }
    }

    @AfterEach
    void closeFaults() {
        if (faults != null) {
            faults.close();
        }
    }

    private static void send(SocketDatagram from, SocketDatagram to, byte... content) throws IOException {
        assertTrue(from.send(ByteBuffer.wrap(content), to.localAddress()));
    }

    private static byte[] content(DatagramBatch batch, int index) {
        ByteBuffer datagram = batch.datagram(index);
        byte[] content = new byte[datagram.remaining()];
        datagram.get(content);
        return content;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void receivesWaitingDatagrams(boolean oneByOne) throws Exception {
        oneByOne(oneByOne);
        SocketDatagram one = open();
        SocketDatagram other = open();
        SocketDatagram to = open();
        DatagramBatch batch = batch(to, 3, 4);
        assertEquals(0, batch.receive());
        PeerAddress sender = new PeerAddress();
        // More datagrams than the capacity, so that each slot is reused.
        for (byte round = 0; round < 5; round++) {
            send(one, to, (byte) 1, round);
            send(other, to, new byte[] {1, 2, 3, 4, 5, round});
            send(one, to);
            send(other, to, (byte) 4);
            Patience.awaitReadable(to);
            assertEquals(3, batch.receive());
            assertEquals(3, batch.count());
            assertArrayEquals(new byte[] {1, round}, content(batch, 0));
            assertEquals(2, batch.length(0));
            batch.sender(0, sender);
            assertEquals(one.localAddress(), sender.toSocketAddress());
            assertArrayEquals(new byte[] {1, 2, 3, 4}, content(batch, 1), "cut off");
            assertEquals(ON_LINUX ? 6 : 5, batch.length(1));
            batch.sender(1, sender);
            assertEquals(other.localAddress(), sender.toSocketAddress());
            assertEquals(0, batch.length(2));
            assertEquals(0, batch.datagram(2).remaining());
            assertEquals(1, batch.receive());
            assertArrayEquals(new byte[] {4}, content(batch, 0));
            assertThrows(IndexOutOfBoundsException.class, () -> batch.datagram(1));
            assertEquals(0, batch.receive());
        }
        assertEquals(0, batch.dropped());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void receivedAndDroppedDatagramsAddUp(boolean oneByOne) throws Exception {
        assumeTrue(ON_LINUX, "no other system counts what it drops");
        Emulator.deviates("does not know SO_RXQ_OVFL and SO_MEMINFO");
        oneByOne(oneByOne);
        SocketDatagram from = open();
        SocketDatagram to = open();
        // The system raises it to its minimum.
        to.setOption(NativeSocketOptions.SO_RCVBUF, 1);
        DatagramBatch batch = batch(to, 4, 100);
        long sent = 0;
        long received = 0;
        for (int burst = 0; burst < 3; burst++) {
            for (int i = 0; i < 50; i++) {
                send(from, to, new byte[100]);
                sent++;
            }
            while (batch.receive() > 0) {
                received += batch.count();
            }
            assertTrue(batch.dropped() > 0, "none dropped");
            assertEquals(sent, received + batch.dropped(), "after burst " + burst);
        }
    }

    @Test
    void aReceiveIsOneCall() throws Exception {
        assumeTrue(ON_LINUX, "no other system has a call for several");
        faults = FaultInjection.install();
        SocketDatagram from = open();
        SocketDatagram to = open();
        DatagramBatch batch = batch(to, 3, 4);
        for (int i = 0; i < 4; i++) {
            send(from, to, (byte) i);
        }
        for (int expected : new int[] {3, 1, 0}) {
            long calls = faults.calls();
            assertEquals(expected, batch.receive());
            assertEquals(1, faults.calls() - calls);
        }
    }

    @Test
    void reportsDropsBeforeTheSocketIsEmpty() throws Exception {
        assumeTrue(ON_LINUX, "no other system counts what it drops");
        Emulator.deviates("does not know SO_RXQ_OVFL and SO_MEMINFO");
        SocketDatagram from = open();
        SocketDatagram to = open();
        to.setOption(NativeSocketOptions.SO_RCVBUF, 1);
        DatagramBatch batch = batch(to, 4, 100);
        assertEquals(0, batch.dropped());
        for (int i = 0; i < 50; i++) {
            send(from, to, new byte[100]);
        }
        long dropped = batch.dropped();
        assertTrue(dropped > 0, "none dropped");
        int received = 0;
        while (batch.receive() > 0) {
            received += batch.count();
        }
        assertEquals(50, received + dropped);
        assertEquals(dropped, batch.dropped());
    }

    /** As before Linux 4.12. */
    @Test
    void dropsAreReportedWithEachDatagramWithoutTheOption() throws Exception {
        assumeTrue(ON_LINUX, "names the calls of Linux");
        Emulator.deviates("does not know SO_RXQ_OVFL and SO_MEMINFO");
        faults = FaultInjection.install();
        SocketDatagram from = open();
        SocketDatagram to = open();
        to.setOption(NativeSocketOptions.SO_RCVBUF, 1);
        faults.failEach("getsockopt", Errno.ENOPROTOOPT);
        DatagramBatch batch = batch(to, 1, 100);
        for (int i = 0; i < 50; i++) {
            send(from, to, new byte[100]);
        }
        assertEquals(1, batch.receive());
        assertEquals(0, batch.dropped(), "before the first");
        send(from, to, new byte[100]);
        while (batch.dropped() == 0) {
            assertEquals(1, batch.receive(), "empty, and no drops reported");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void errorLosesNoDatagrams(boolean oneByOne) throws Exception {
        WineDifference.REFUSED_DATAGRAM_IS_NOT_REPORTED.assumeAbsent();
        oneByOne(oneByOne);
        SocketDatagram socket = own(SocketDatagram.unbound(StandardProtocolFamily.INET));
        DatagramBatch batch = batch(socket, 4, 10);
        SocketDatagram peer = open();
        socket.bind(new InetSocketAddress("127.0.0.1", 0));
        socket.connect(peer.localAddress());
        send(peer, socket, (byte) 1);
        peer.close();
        assertTrue(socket.send(ByteBuffer.wrap(new byte[1])));
        int received = 0;
        IOException reported = null;
        for (int i = 0; i < 3; i++) {
            try {
                received += batch.receive();
            } catch (SystemCallException e) {
                assertEquals("ECONNREFUSED", e.errorName());
                reported = e;
            }
        }
        assertTrue(reported != null, "not reported");
        assertEquals(1, received);
    }

    @Test
    void errorAfterADatagramIsThrownByTheNextCall() throws Exception {
        assumeTrue(ON_LINUX, "names the calls of Linux");
        oneByOne(true);
        SocketDatagram from = open();
        SocketDatagram to = open();
        DatagramBatch batch = batch(to, 4, 10);
        send(from, to, (byte) 1);
        send(from, to, (byte) 2);
        faults.failNth("recvmsg", 2, Errno.ENOMEM);
        assertEquals(1, batch.receive());
        assertEquals("ENOMEM", assertThrows(SystemCallException.class, batch::receive).errorName());
        assertEquals(0, batch.count());
        assertEquals(1, batch.receive());
        assertArrayEquals(new byte[] {2}, content(batch, 0));
    }

    @Test
    void anInterruptedCallIsRepeated() throws Exception {
        assumeTrue(ON_LINUX, "names the calls of Linux");
        faults = FaultInjection.install().failNth("recvmmsg", 1, Errno.EINTR);
        SocketDatagram from = open();
        SocketDatagram to = open();
        DatagramBatch batch = batch(to, 4, 10);
        send(from, to, (byte) 1);
        assertEquals(1, batch.receive());
    }

    @Test
    void missingDropCounterIsNotAnError() throws Exception {
        assumeTrue(ON_LINUX, "names the calls of Linux");
        faults = FaultInjection.install();
        SocketDatagram from = open();
        SocketDatagram to = open();
        faults.failNth("setsockopt", 1, Errno.ENOPROTOOPT).failEach("getsockopt", Errno.ENOPROTOOPT);
        DatagramBatch batch = batch(to, 4, 10);
        send(from, to, (byte) 1);
        assertEquals(1, batch.receive());
        assertEquals(0, batch.dropped());
    }

    @Test
    void rejectsInvalidArguments() throws Exception {
        SocketDatagram socket = open();
        assertThrows(IllegalArgumentException.class, () -> new DatagramBatch(socket, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new DatagramBatch(socket, 1025, 1));
        assertThrows(IllegalArgumentException.class, () -> new DatagramBatch(socket, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new DatagramBatch(socket, 1024, Integer.MAX_VALUE));
        DatagramBatch batch = batch(socket, 1, 1);
        socket.close();
        assertThrows(HandleClosedException.class, batch::receive);
        assertThrows(HandleClosedException.class, batch::dropped);
        assertThrows(HandleClosedException.class, () -> new DatagramBatch(socket, 1, 1));
    }

    /** Limits of its blocks stand in for a lack of memory. */
    @Test
    void memoryIsFreedIfNoViewOfItCanBeMade() throws Exception {
        Binding real = Bindings.current();
        Memory memory = real.memory();
        Memory limited = (Memory) Proxy.newProxyInstance(Memory.class.getClassLoader(), new Class<?>[] {Memory.class},
                (proxy, method, arguments) -> {
                    Object result = FaultInjection.reflect(memory, method, arguments);
                    if (result instanceof MemoryBlock block) {
                        block.buffer().limit(block.buffer().capacity() - 1);
                    }
                    return result;
                });
        Bindings.use(ScarceMemory.with(real, limited));
        try {
            SocketDatagram socket = open();
            assertThrows(IndexOutOfBoundsException.class, () -> new DatagramBatch(socket, 3, 1000));
        } finally {
            Bindings.use(real);
        }
    }

    @Test
    void aClosedBatchReceivesNothing() throws Exception {
        SocketDatagram from = open();
        SocketDatagram to = open();
        DatagramBatch batch = batch(to, 1, 1);
        send(from, to, (byte) 1);
        batch.close();
        assertThrows(IllegalStateException.class, batch::receive);
        assertEquals(1, to.receive(ByteBuffer.allocate(1), null), "still there");
    }
}
