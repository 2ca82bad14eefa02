package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** A socket that expects datagrams: each once, complete, and in the order in which they were sent. */
final class Inbox implements AutoCloseable {

    private static final int MAX_DATAGRAM_SIZE = 65_536;

    /** How it receives. */
    enum Way {
        SINGLY, BATCH, COALESCED
    }

    private final SocketDatagram socket;
    private final SocketAddress sender;
    private final DatagramBatch batch;
    private final ByteBuffer destination = ByteBuffer.allocateDirect(MAX_DATAGRAM_SIZE);
    private final PeerAddress from = new PeerAddress();
    private final Deque<byte[]> expected = new ArrayDeque<>();

    Inbox(SocketDatagram socket, SocketAddress sender, Way way) throws IOException {
        this.socket = socket;
        this.sender = sender;
        batch = switch (way) {
            case SINGLY -> null;
            case BATCH -> new DatagramBatch(socket, 5, MAX_DATAGRAM_SIZE);
            case COALESCED -> DatagramBatch.coalesced(socket, 5);
        };
    }

    PeerAddress address() throws IOException {
        return PeerAddress.of(socket.localAddress());
    }

    void expect(byte[] datagram) {
        expected.add(datagram);
    }

    /** Waits for all expected datagrams; there must be no others. */
    void awaitAll() throws Exception {
        while (!expected.isEmpty()) {
            Patience.awaitReadable(socket);
            receive();
        }
        receive();
    }

    private void receive() throws IOException {
        if (batch == null) {
            int length = socket.receive(destination.clear(), from);
            if (length != SocketDatagram.NONE) {
                take(destination.flip(), length);
            }
            return;
        }
        int count = batch.receive();
        for (int i = 0; i < count; i++) {
            batch.sender(i, from);
            take(batch.datagram(i), batch.length(i));
        }
    }

    private void take(ByteBuffer datagram, int length) throws IOException {
        assertFalse(expected.isEmpty(), "more than was sent");
        byte[] content = new byte[datagram.remaining()];
        datagram.get(content);
        assertArrayEquals(expected.remove(), content);
        assertEquals(content.length, length);
        assertEquals(sender, from.toSocketAddress());
    }

    @Override
    public void close() {
        if (batch != null) {
            batch.close();
        }
    }
}
