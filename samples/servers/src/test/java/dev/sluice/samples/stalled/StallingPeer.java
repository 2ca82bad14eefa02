package dev.sluice.samples.stalled;

import dev.sluice.samples.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A peer that stops in the middle of what it says, or of what it hears, and stays. */
final class StallingPeer implements AutoCloseable {

    /** Of its socket, in octets: so that little of an answer fits. */
    private static final int BUFFER = 4096;
    /** The number of further attempts to send after the server has taken nothing. */
    private static final int OFFERS = 3;
    private static final long BETWEEN_OFFERS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SocketChannel channel;

    private StallingPeer(SocketChannel channel) {
        this.channel = channel;
    }

    static StallingPeer connect(InetSocketAddress server) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
            channel.connect(server);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new StallingPeer(channel);
        } catch (Throwable e) {
            channel.close();
            throw e;
        }
    }

    /** Says the beginning, each octet on its own. */
    void say(byte[] dialogue, int octets) throws IOException {
        for (int i = 0; i < octets; i++) {
            channel.write(ByteBuffer.wrap(dialogue, i, 1));
        }
    }

    /** Sends as much as the server takes without any of its answers being read. */
    void flood(byte[] requests) throws IOException {
        channel.configureBlocking(false);
        ByteBuffer unsent = ByteBuffer.wrap(requests);
        for (int refused = 0; unsent.hasRemaining() && refused < OFFERS;) {
            if (channel.write(unsent) > 0) {
                refused = 0;
            } else {
                refused++;
                LockSupport.parkNanos(BETWEEN_OFFERS);
            }
        }
        channel.configureBlocking(true);
    }

    /** Reads this many octets of the answers, or up to their end. */
    void hear(int octets) throws IOException {
        channel.socket().setSoTimeout((int) Patience.LIMIT.toMillis());
        InputStream in = channel.socket().getInputStream();
        try {
            in.readNBytes(octets);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("neither answered nor closed", e);
        }
    }

    void endOutput() throws IOException {
        channel.shutdownOutput();
    }

    void reset() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
