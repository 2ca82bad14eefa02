package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.layout.InotifyConstants;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The hot path does not allocate once it has been compiled. */
@Tag(Depth.IN_QUICK)
@Tag(Depth.OPTIMIZED)
class AllocationTest extends LeakChecked {

    private static final int ROUND_TRIPS = Depth.times(10_000, 20_000, 200_000);
    private static final double BYTES_PER_ROUND_TRIP = 0.1;

    @TempDir
    Path directory;

    private interface RoundTrip {
        void go() throws IOException;
    }

    @BeforeEach
    void assumeBindingAllocatesNothing() {
        assumeTrue(Bindings.current().name().equals("ffm"),
                "JNA makes an object of each direct buffer's address, which this library cannot avoid");
    }

    @Test
    void streams() throws Exception {
        StreamPair pair = own(Transport.UNIX.connect(directory));
        ByteBuffer message = ByteBuffer.allocateDirect(16);
        ByteBuffer destination = ByteBuffer.allocateDirect(32);
        assertAllocatesNothing(() -> {
            pair.client().send(message.clear());
            pair.server().receive(destination.clear());
            pair.server().send(destination.flip());
            pair.client().receive(message.clear());
        });
        assertEquals(16, message.position());
    }

    @Test
    void datagrams() throws Exception {
        SocketDatagram server = own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
        SocketDatagram client = own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
        client.connect(server.localAddress());
        ByteBuffer message = ByteBuffer.allocateDirect(16);
        ByteBuffer destination = ByteBuffer.allocateDirect(32);
        PeerAddress sender = new PeerAddress();
        assertAllocatesNothing(() -> {
            client.send(message.clear());
            server.receive(destination.clear(), sender);
            server.send(destination.flip(), sender);
            client.receive(message.clear(), null);
        });
        assertEquals(16, message.position());
    }

    @Test
    void batchesOfDatagrams() throws Exception {
        SocketDatagram server = own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
        SocketDatagram client = own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
        client.connect(server.localAddress());
        ByteBuffer message = ByteBuffer.allocateDirect(16);
        DatagramBatch batch = own(new DatagramBatch(server, 4, 32));
        PeerAddress sender = new PeerAddress();
        assertAllocatesNothing(() -> {
            client.send(message.clear());
            client.send(message.clear());
            batch.receive();
            batch.sender(1, sender);
            server.send(batch.datagram(1), sender);
            client.receive(message.clear(), null);
        });
        assertEquals(2, batch.count());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void batchesOfFileEvents() throws Exception {
        Inotify inotify = own(Inotify.open());
        InotifyBatch batch = own(new InotifyBatch(inotify, 4096));
        inotify.watch(directory, InotifyConstants.IN_MODIFY);
        FileHandle file = own(FileHandle.open(directory.resolve("file"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE));
        byte[] name = {'f', 'i', 'l', 'e'};
        ByteBuffer octet = ByteBuffer.allocateDirect(1);
        int[] named = new int[1];
        assertAllocatesNothing(() -> {
            file.write(octet.clear(), 0);
            batch.receive();
            if (batch.isNamed(0, name) && !batch.isOverflow(0) && batch.watch(0) == 1) {
                named[0]++;
            }
        });
        assertEquals(1, batch.count());
        assertTrue(named[0] > 0);
    }

    @Test
    void batchesOfDatagramsBothWays() throws Exception {
        batchesBothWays(false);
    }

    @Test
    void coalescedBatchesBothWays() throws Exception {
        batchesBothWays(true);
    }

    private DatagramBatch batch(SocketDatagram socket, boolean coalesced) throws IOException {
        return own(coalesced ? DatagramBatch.coalesced(socket, 4) : new DatagramBatch(socket, 4, 32));
    }

    private void batchesBothWays(boolean coalesced) throws IOException {
        SocketDatagram server = own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
        SocketDatagram client = own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
        client.connect(server.localAddress());
        ByteBuffer message = ByteBuffer.allocateDirect(16);
        DatagramSendBatch requests = own(new DatagramSendBatch(client, 4, 32));
        DatagramBatch received = batch(server, coalesced);
        DatagramSendBatch answers = own(new DatagramSendBatch(server, 4, 32));
        DatagramBatch answered = batch(client, coalesced);
        PeerAddress sender = new PeerAddress();
        assertAllocatesNothing(() -> {
            requests.add(message.clear());
            requests.add(message.clear());
            requests.add(message.clear().limit(8));
            requests.send();
            received.receive();
            for (int i = 0; i < received.count(); i++) {
                received.sender(i, sender);
                answers.add(received.datagram(i), sender);
            }
            answers.send();
            answered.receive();
        });
        assertEquals(3, answered.count());
    }

    // The JIT compiler may finish at any time, so the measurement is repeated.
    private static void assertAllocatesNothing(RoundTrip roundTrip) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        double perRoundTrip = Double.MAX_VALUE;
        for (Patience patience = new Patience(); perRoundTrip > BYTES_PER_ROUND_TRIP && patience.lasts();) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUND_TRIPS; i++) {
                roundTrip.go();
            }
            perRoundTrip = (double) (threads.getCurrentThreadAllocatedBytes() - before) / ROUND_TRIPS;
        }
        double measured = perRoundTrip;
        assertTrue(measured <= BYTES_PER_ROUND_TRIP, () -> measured + " bytes per round trip");
    }
}
