package dev.sluice.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets through a router that does what a test wants. */
class PacketsRunTest {

    private static final int HEADER = PacketFormat.HEADER;
    private static final int QUERY = 0x80;
    private static final long SHORT = 200;
    private static final long TIMEOUT = 2_000;
    private static final long LONG = 60_000;

    /** Sends a packet on, whose TTL and hops are right already, or does something else. */
    private interface Routing {
        void route(byte[] packet, int number, List<OutputStream> others) throws IOException;
    }

    private final AtomicInteger queries = new AtomicInteger();
    private final AtomicInteger packets = new AtomicInteger();
    /** Bytes that have been sent before the last peer has come. */
    private volatile int before;
    /** For so long the last peer waits until it is welcome. */
    private long welcomeMillis;

    private PacketsResult measure(int receivers, int perSecond, int slow, long timeout, Routing routing)
            throws Exception {
        return measure(receivers, perSecond, slow, 0, timeout, routing);
    }

    private PacketsResult measure(int receivers, int perSecond, int slow, long warmUp, long timeout, Routing routing)
            throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread router = Thread.ofPlatform()
                    .start(() -> serve(socket, 1 + receivers + slow, 1 + receivers, routing));
            try {
                return new PacketsRun(new Packets(socket.getLocalPort(), receivers, perSecond,
                        Packets.QUERY_PERCENT, 8, slow, warmUp, SHORT, timeout, ProcessHandle.current().pid()))
                        .measure();
            } finally {
                socket.close();
                router.join();
            }
        }
    }

    private void serve(ServerSocket socket, int connections, int reading, Routing routing) {
        List<Socket> peers = new ArrayList<>();
        try {
            for (int i = 0; i < connections; i++) {
                Socket peer = socket.accept();
                peers.add(peer);
                String greeting = new String(peer.getInputStream().readNBytes(PacketFormat.greeting().limit()));
                assertEquals("GNUTELLA CONNECT/0.4\n\n", greeting);
                if (i == connections - 1) {
                    pause(welcomeMillis);
                }
                peer.getOutputStream().write("GNUTELLA OK\n\n".getBytes());
            }
            before = peers.get(0).getInputStream().available();
            List<OutputStream> others = new ArrayList<>();
            for (Socket peer : peers.subList(1, reading)) {
                others.add(peer.getOutputStream());
            }
            DataInputStream in = new DataInputStream(peers.get(0).getInputStream());
            for (int number = 0;; number++) {
                routing.route(next(in), number, others);
            }
        } catch (IOException e) {
            // The peers have left.
        } finally {
            for (Socket peer : peers) {
                try {
                    peer.close();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private byte[] next(DataInputStream in) throws IOException {
        byte[] header = new byte[HEADER];
        in.readFully(header);
        int length = header[19];
        byte[] packet = java.util.Arrays.copyOf(header, HEADER + length);
        in.readFully(packet, HEADER, length);
        packets.incrementAndGet();
        if ((packet[16] & 0xFF) == QUERY) {
            queries.incrementAndGet();
        }
        packet[17]--;
        packet[18]++;
        return packet;
    }

    private static void send(byte[] packet, List<OutputStream> others) throws IOException {
        for (OutputStream other : others) {
            other.write(packet);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "2000, 0", "2000, 1"})
    void allPacketsReachAllReceivers(int perSecond, int slow) throws Exception {
        PacketsResult result = measure(2, perSecond, slow, LONG, (packet, number, others) -> send(packet, others));

        assertEquals(0, result.lost());
        assertTrue(result.sent() > 0, result::toString);
        // With a rate, what was due while the slow one came does not count.
        assertTrue(perSecond > 0 && slow > 0 ? result.sent() <= packets.get() : result.sent() == packets.get(),
                () -> packets + " packets, " + result);
        int hundreds = packets.get() / 100;
        assertTrue(queries.get() >= 15 * hundreds && queries.get() <= 15 * (hundreds + 1),
                queries + " queries of " + packets);
        assertTrue(perSecond == 0 || result.mean() > 0 && result.p99() <= result.longest(), result::toString);
    }

    @Test
    void slowPeerConnectsWhenTheMeasurementBegins() throws Exception {
        measure(1, 500, 1, SHORT, LONG, (packet, number, others) -> send(packet, others));

        assertTrue(before > 0, "it has come first");
    }

    @Test
    void sendsAtTheGivenRate() throws Exception {
        PacketsResult result = measure(1, 500, 0, LONG, (packet, number, others) -> send(packet, others));

        // Those of one second more, for a machine that is busy before it begins to measure.
        assertTrue(result.sent() <= 500 * (result.seconds() + 1), result::toString);
        assertTrue(result.sent() > 0, result::toString);
    }

    @Test
    void doesNotCountWhatWasDueWhileAPeerWasWelcomed() throws Exception {
        welcomeMillis = 2_000;

        PacketsResult result = measure(1, 500, 1, SHORT, LONG, (packet, number, others) -> send(packet, others));

        assertTrue(result.sent() <= 500 * (result.seconds() + 1), result::toString);
    }

    @Test
    void countsWhatIsLost() throws Exception {
        PacketsResult result = measure(2, 500, 0, TIMEOUT, (packet, number, others) -> {
            if (number % 2 == 0) {
                send(packet, others);
            } else {
                send(packet, others.subList(0, 1));
            }
        });

        assertEquals(result.sent() / 2, result.lost(), result::toString);
    }

    @Test
    void takesNoNoticeOfWhatTheRouterSaysItself() throws Exception {
        PacketsResult result = measure(1, 500, 0, LONG, (packet, number, others) -> {
            byte[] own = new byte[HEADER + 5];
            own[19] = 5;
            send(own, others);
            send(packet, others);
        });

        assertEquals(0, result.lost());
    }

    @Test
    void seesWhatComesTwice() {
        String message = assertThrows(IOException.class, () -> measure(1, 500, 0, LONG, (packet, number, others) -> {
            send(packet, others);
            send(packet, others);
        })).getMessage();
        assertEquals("packet 0 has come once more than it was sent", message);
    }

    /** Type, TTL, hops, and the last letter of a query. */
    @ParameterizedTest
    @ValueSource(ints = {16, 17, 18, HEADER + 9})
    void seesAWrongByte(int place) {
        String message = assertThrows(IOException.class, () -> measure(1, 500, 0, LONG, (packet, number, others) -> {
            if (place < packet.length) {
                packet[place]++;
            }
            send(packet, others);
        })).getMessage();
        assertTrue(message.endsWith("is not what was sent"), message);
    }

    @Test
    void seesALengthThatCannotBe() {
        String message = assertThrows(IOException.class, () -> measure(1, 500, 0, LONG, (packet, number, others) -> {
            packet[22] = 1;
            send(packet, others);
        })).getMessage();
        assertEquals("the router sends a packet of 16777216 bytes", message.replaceAll("1677\\d+", "16777216"));
    }

    @Test
    void seesThatTheRouterLeaves() {
        assertThrows(IOException.class, () -> measure(1, 500, 0, LONG, (packet, number, others) -> {
            throw new IOException("leaves");
        }));
    }
}
