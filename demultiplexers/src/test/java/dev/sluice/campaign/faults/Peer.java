package dev.sluice.campaign.faults;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * The far end of a connection, without a thread of its own and without a call through the library: it sends and
 * receives what can be, whenever it is its turn.
 */
final class Peer implements Closeable {

    private final Ledger ledger;
    private final ByteBuffer toSend;
    private final byte[] expected;
    private final ByteBuffer received;
    private SocketChannel channel;
    private boolean ended;

    /**
     * Connects, if the address is listening.
     *
     * @param ledger   receives reports of wrong bytes
     * @param address  where to
     * @param says     what it sends
     * @param expected what it is to receive
     */
    Peer(Ledger ledger, SocketAddress address, byte[] says, byte[] expected) throws IOException {
        this.ledger = ledger;
        this.expected = expected;
        toSend = ByteBuffer.wrap(says);
        received = ByteBuffer.allocate(expected.length + 1);
        try {
            channel = SocketChannel.open(address);
            channel.configureBlocking(false);
        } catch (SocketException e) {
            ended = true;
        }
    }

    void runIteration() {
        if (ended) {
            return;
        }
        try {
            if (toSend.hasRemaining()) {
                channel.write(toSend);
            }
            int count;
            do {
                count = channel.read(received);
                ended |= count < 0;
            } while (count > 0);
        } catch (IOException e) {
            // The connection has been reset.
            ended = true;
        }
        if (!Arrays.equals(received.array(), 0, received.position(), expected, 0,
                Math.min(received.position(), expected.length)) || !received.hasRemaining()) {
            ledger.problem("a peer received other bytes than it was to, among the first " + received.position());
            ended = true;
        }
    }

    boolean isSatisfied() {
        return received.position() == expected.length;
    }

    int count() {
        return received.position();
    }

    /** {@return whether nothing more will come, or need come} */
    boolean isDone() {
        return ended || isSatisfied();
    }

    boolean hasEnded() {
        return ended;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }

    @Override
    public String toString() {
        return "peer that has received " + received.position() + " of " + expected.length + " bytes"
                + (ended ? " and the end" : "");
    }
}
