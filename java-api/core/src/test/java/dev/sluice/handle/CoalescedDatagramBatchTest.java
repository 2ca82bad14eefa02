package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Emulator;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;
import dev.sluice.handle.SocketDatagramTest.Network;
import dev.sluice.system.DatagramArray;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Coalesced datagrams are split, and receivers that cannot split them are rejected. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class CoalescedDatagramBatchTest extends LeakChecked {

    @TempDir
    Path directory;

    private FaultInjection faults;
    private SocketDatagram from;
    private SocketDatagram to;

    @BeforeEach
    void open() throws Exception {
        assumeTrue(Platform.CURRENT.os() == Platform.Os.LINUX, "no other system joins them");
        faults = FaultInjection.install();
        from = own(Network.UDP4.open(directory));
        to = own(Network.UDP4.open(directory));
        from.connect(to.localAddress());
    }

    @AfterEach
    void closeFaults() {
        if (faults != null) {
            faults.close();
        }
    }

    private DatagramBatch coalesced(int messages) throws IOException {
        DatagramBatch batch = own(DatagramBatch.coalesced(to, messages));
        assumeJoining();
        return batch;
    }

    private void assumeJoining() throws IOException {
        long fd = to.descriptor.acquire();
        try {
            assumeTrue(to.system.enableReceiveOffload(fd), "before Linux 5.0");
        } finally {
            to.descriptor.release();
        }
    }

    private boolean isJoining() {
        try {
            to.requireSeparate();
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private void send(int count, int size) throws Exception {
        Emulator.deviatesInControlData();
        try (DatagramSendBatch batch = new DatagramSendBatch(from, count, size)) {
            for (int i = 0; i < count; i++) {
                assertTrue(batch.add(ByteBuffer.wrap(content(i, size))));
            }
            assertEquals(count, batch.send());
        }
        Patience.awaitReadable(to);
    }

    private static byte[] content(int number, int size) {
        byte[] content = Bytes.random(size);
        content[0] = (byte) number;
        return content;
    }

    private static byte[] received(DatagramBatch batch, int index) {
        ByteBuffer view = batch.datagram(index);
        byte[] content = new byte[view.remaining()];
        view.get(content);
        return content;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messageContainsManyDatagrams(boolean oneByOne) throws Exception {
        if (oneByOne) {
            faults.failEach("recvmmsg", Errno.ENOSYS);
        }
        DatagramBatch batch = coalesced(2);
        for (int round = 0; round < 3; round++) {
            for (int count : new int[] {1, 40, 64}) {
                send(count, 50);
                assertEquals(count, batch.receive());
                assertEquals(count, batch.count());
                assertFalse(batch.isFull());
                PeerAddress sender = new PeerAddress();
                for (int i = 0; i < count; i++) {
                    assertArrayEquals(content(i, 50), received(batch, i));
                    assertEquals(50, batch.length(i));
                    batch.sender(i, sender);
                    assertEquals(from.localAddress(), sender.toSocketAddress());
                }
                assertThrows(IndexOutOfBoundsException.class, () -> batch.datagram(count));
                assertThrows(IndexOutOfBoundsException.class, () -> batch.length(count));
                assertThrows(IndexOutOfBoundsException.class, () -> batch.sender(count, sender));
                assertEquals(0, batch.receive());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reportsWhetherMoreMayBePending(boolean oneByOne) throws Exception {
        if (oneByOne) {
            faults.failEach("recvmmsg", Errno.ENOSYS);
        }
        DatagramBatch batch = coalesced(2);
        for (int i = 0; i < 3; i++) {
            send(10, 20 + i);
        }
        assertEquals(20, batch.receive());
        assertTrue(batch.isFull());
        assertEquals(10, batch.receive());
        assertEquals(22, batch.length(0));
        assertFalse(batch.isFull());
        assertEquals(0, batch.receive());
        assertFalse(batch.isFull());
    }

    /** This cannot happen to users' batches, unless a system coalesces more than it documents. */
    @Test
    void lengthShowsWhichDatagramsAreTruncated() throws Exception {
        DatagramBatch batch = own(new DatagramBatch(to, 2, 100, true));
        assumeJoining();
        send(5, 30);
        send(2, 60);
        assertEquals(7, batch.receive());
        for (int i = 0; i < 5; i++) {
            assertEquals(30, batch.length(i));
            assertArrayEquals(Arrays.copyOf(content(i, 30), i < 3 ? 30 : i == 3 ? 10 : 0), received(batch, i));
        }
        assertEquals(60, batch.length(6));
        assertArrayEquals(content(0, 60), received(batch, 5));
        assertArrayEquals(Arrays.copyOf(content(1, 60), 40), received(batch, 6));
    }

    @Test
    void datagramViewsAreIndependent() throws Exception {
        DatagramBatch batch = coalesced(1);
        send(3, 8);
        assertEquals(3, batch.receive());
        ByteBuffer first = batch.datagram(0);
        ByteBuffer second = batch.datagram(1);
        first.position(first.limit());
        assertEquals(1, second.get());
        assertArrayEquals(content(2, 8), received(batch, 2));
        assertArrayEquals(content(0, 8), received(batch, 0));
    }

    @Test
    void coalescingSocketRejectsOtherReceives() throws Exception {
        DatagramBatch earlier = own(new DatagramBatch(to, 1, 100));
        DatagramBatch batch = coalesced(1);
        ByteBuffer destination = ByteBuffer.allocateDirect(1000);
        for (int i = 0; i < 2; i++) {
            send(3, 100);
            assertThrows(IllegalStateException.class, () -> to.receive(destination, null));
            assertThrows(IllegalStateException.class, earlier::receive);
            IllegalStateException e = assertThrows(IllegalStateException.class, () -> new DatagramBatch(to, 1, 100));
            assertTrue(e.getMessage().contains(to.toString()), e.getMessage());
            batch.close();
        }
        DatagramBatch next = coalesced(9);
        assertEquals(6, next.receive(), "what was coalesced before");
        assertThrows(IllegalStateException.class, batch::receive);
        assertEquals(0, destination.position());
    }

    @Test
    void coalescedBatchWorksWithoutReceiveOffload() throws Exception {
        faults.failEach("setsockopt", Errno.ENOPROTOOPT);
        DatagramBatch batch = own(DatagramBatch.coalesced(to, 3));
        assertFalse(isJoining());
        send(4, 65);
        assertEquals(3, batch.receive());
        assertTrue(batch.isFull());
        assertArrayEquals(content(2, 65), received(batch, 2));
        assertEquals(65, to.receive(ByteBuffer.allocate(100), null));
        assertEquals(0, batch.receive());
    }

    @Test
    void errorLosesNoDatagrams() throws Exception {
        DatagramBatch batch = coalesced(4);
        send(10, 10);
        faults.failNth("recvmmsg", 1, Errno.ENOMEM).failNth("recvmmsg", 2, Errno.EINTR);
        assertEquals("ENOMEM", assertThrows(SystemCallException.class, batch::receive).errorName());
        assertEquals(0, batch.count());
        assertFalse(batch.isFull());
        assertEquals(10, batch.receive());
    }

    /** A limit stands in for a lack of memory. */
    @Test
    void datagramsAreAccessibleAfterAViewOfThemCouldNotBeMade() {
        DatagramArray messages = own(DatagramArray.toReceive(Bindings.current().memory(), 2, 100, true));
        CoalescedDatagrams datagrams = new CoalescedDatagrams(messages);
        messages.memory().limit(messages.memory().capacity() - 1);
        assertThrows(IndexOutOfBoundsException.class, () -> datagrams.split(1));
        messages.memory().clear();
        assertEquals(2, datagrams.split(2));
        for (int i = 0; i < 2; i++) {
            assertEquals(0, datagrams.datagram(i).remaining());
        }
    }

    @Test
    void rejectsInvalidArguments() throws Exception {
        assertThrows(IllegalArgumentException.class, () -> DatagramBatch.coalesced(to, 0));
        assertThrows(IllegalArgumentException.class, () -> DatagramBatch.coalesced(to, 1025));
        assertFalse(isJoining());
        DatagramBatch batch = coalesced(1);
        to.close();
        assertThrows(HandleClosedException.class, batch::receive);
        assertThrows(HandleClosedException.class, () -> DatagramBatch.coalesced(to, 1));
    }
}
