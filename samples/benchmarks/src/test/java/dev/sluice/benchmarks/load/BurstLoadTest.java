package dev.sluice.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Bursts, and that a server is found out which has got something else, or says nothing. */
class BurstLoadTest {

    private static final int PACKET = 1_000;
    private static final int PACKETS = 3;
    private static final int CONNECTIONS = 4;

    /** A server that takes what comes, and acknowledges what a test wants. */
    private record Server(ServerSocketChannel acceptor, UnaryOperator<ByteBuffer> acknowledgements)
            implements AutoCloseable {

        static Server start(UnaryOperator<ByteBuffer> acknowledgements) throws IOException {
            ServerSocketChannel acceptor = ServerSocketChannel.open();
            acceptor.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Server server = new Server(acceptor, acknowledgements);
            Thread.ofPlatform().daemon().start(server::accept);
            return server;
        }

        private void accept() {
            try {
                while (true) {
                    SocketChannel channel = acceptor.accept();
                    Thread.ofPlatform().daemon().start(() -> serve(channel));
                }
            } catch (IOException e) {
                // The test is over.
            }
        }

        private void serve(SocketChannel channel) {
            BurstTally tally = new BurstTally(PACKET * PACKETS);
            ByteBuffer bytes = ByteBuffer.allocate(777);
            try (channel) {
                while (channel.read(bytes.clear()) >= 0) {
                    bytes.flip();
                    while (bytes.hasRemaining()) {
                        if (tally.take(bytes)) {
                            channel.write(acknowledgements.apply(tally.acknowledgement()));
                        }
                    }
                }
                channel.write(acknowledgements.apply(tally.acknowledgement()));
            } catch (IOException e) {
                // The load generator has found out what it was to.
            }
        }

        LoadResult measure() throws IOException {
            int port = ((InetSocketAddress) acceptor.getLocalAddress()).getPort();
            return new BurstLoad(Load.bursts(port, CONNECTIONS, PACKET, PACKETS, Duration.ofMillis(20),
                    Duration.ofMillis(200), ProcessHandle.current().pid())).measure();
        }

        @Override
        public void close() throws IOException {
            acceptor.close();
        }
    }

    @Test
    void countsWhatWasSent() throws IOException {
        try (Server server = Server.start(acknowledgement -> acknowledgement)) {
            LoadResult result = server.measure();
            // On a busy machine nothing may be acknowledged in such a short time.
            for (int i = 0; i < 20 && result.messages() == 0; i++) {
                result = server.measure();
            }
            assertTrue(result.bytes() > 0 && result.messages() > 0, "" + result);
            // Each connection may have sent two bursts of which the acknowledgements came before or after.
            long bursts = result.bytes() / (PACKET * PACKETS);
            assertTrue(Math.abs(bursts - result.messages()) <= 2 * CONNECTIONS + 1, "" + result);
        }
    }

    @Test
    void noticesAWrongChecksum() throws IOException {
        assertComplaint("has acknowledged other bytes", acknowledgement -> {
            acknowledgement.put(15, (byte) (acknowledgement.get(15) + 1));
            return acknowledgement;
        });
    }

    @Test
    void noticesAByteTooFew() throws IOException {
        assertComplaint("has acknowledged other bytes",
                acknowledgement -> acknowledgement.putLong(0, acknowledgement.getLong(0) - 1));
    }

    @Test
    void noticesAServerThatSaysNothingAndCloses() throws IOException {
        assertComplaint("has closed", ByteBuffer::flip);
    }

    private static void assertComplaint(String complaint, UnaryOperator<ByteBuffer> acknowledgements)
            throws IOException {
        try (Server server = Server.start(acknowledgements)) {
            IOException thrown = assertThrows(IOException.class, server::measure);
            assertTrue(thrown.getMessage().contains(complaint), thrown.getMessage());
        }
    }

    @Test
    void manyConnectionsHaveSmallBuffers() {
        assertEquals(128 * 1024, BurstLoad.sendBuffer(512));
        assertEquals(64 * 1024, BurstLoad.sendBuffer(1024));
        assertEquals(16 * 1024, BurstLoad.sendBuffer(8192));
    }

    @Test
    void aBurstEndsWhereItEnds() {
        BurstTally tally = new BurstTally(10);
        ByteBuffer bytes = ByteBuffer.allocate(25);
        assertFalse(tally.take(bytes.limit(9)));
        assertEquals(1, tally.left());
        bytes.limit(25);
        assertTrue(tally.take(bytes));
        assertEquals(10, bytes.position());
        assertEquals(10, tally.acknowledgement().getLong(0));
        assertTrue(tally.take(bytes));
        assertFalse(tally.take(bytes));
        assertEquals(25, bytes.position());
        assertEquals(25, bytes.limit());
        assertEquals(25, tally.acknowledgement().getLong(0));
        assertFalse(tally.take(bytes));
    }

    @Test
    void theChecksumDependsOnEachByte() {
        BurstTally one = new BurstTally(10);
        BurstTally other = new BurstTally(10);
        one.take(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        other.take(ByteBuffer.wrap(new byte[] {1, 2, 4}));
        assertEquals(one.acknowledgement(), one.acknowledgement());
        assertTrue(one.acknowledgement().mismatch(other.acknowledgement()) >= Long.BYTES);
        assertEquals(BurstTally.ACKNOWLEDGEMENT, one.acknowledgement().remaining());
    }
}
