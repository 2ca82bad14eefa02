package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Sends as much as the other side takes, and reads nothing meanwhile. */
public final class FloodingPeer implements AutoCloseable {

    /** More than any system buffers for a peer that does not read: a server that accepts it all hoards memory. */
    public static final int FLOOD = 24 << 20;

    // Fixed and small, so that it is the sample that has to hold back.
    private static final int BUFFER = 64 << 10;
    private static final int CALM_LOOKS = 10;

    private final SocketChannel channel;
    private final ByteBuffer flood;

    /** Connects; what it sends comes from here, position to limit. */
    public FloodingPeer(InetSocketAddress address, ByteBuffer flood) throws IOException {
        this.channel = SocketChannel.open();
        this.flood = flood;
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
        channel.connect(address);
        channel.configureBlocking(false);
    }

    /** Sends until the sample takes no more from any of them: its buffers are full, and it sleeps. */
    public static void untilStuck(Collection<FloodingPeer> peers, RunningSample sample) throws Exception {
        int port = sample.awaitAddress().getPort();
        int[] calm = new int[1];
        Patience.until("the peers get stuck", () -> {
            boolean moved = false;
            for (FloodingPeer peer : peers) {
                while (peer.channel.write(peer.flood) > 0) {
                    moved = true;
                }
                assertTrue(peer.flood.hasRemaining(), "the sample takes in without end");
            }
            // More than once, because a thread also sleeps for a moment when it waits for a lock.
            calm[0] = !moved && sample.figures().isAsleep("echo-", "log") ? calm[0] + 1 : 0;
            // This looks at all connections of the machine.
            return calm[0] > 0 && calm[0] % CALM_LOOKS == 0 && areProbing(peers, port);
        });
    }

    private static boolean areProbing(Collection<FloodingPeer> peers, int port) throws IOException {
        Map<Integer, TcpState> states = TcpState.connectionsTo(port);
        for (FloodingPeer peer : peers) {
            TcpState state = states.get(peer.localPort());
            if (state == null || !state.probing()) {
                return false;
            }
        }
        return true;
    }

    public void untilStuck(RunningSample sample) throws Exception {
        untilStuck(List.of(this), sample);
    }

    /** {@return the number of bytes that have left this side, and lie in the other's buffers at least} */
    public int delivered() throws IOException {
        return flood.position() - (int) TcpState.connectionsTo(remotePort()).get(localPort()).unacknowledged();
    }

    private int localPort() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    private int remotePort() throws IOException {
        return ((InetSocketAddress) channel.getRemoteAddress()).getPort();
    }

    /** Sends the rest, up to this position, and ends the stream. */
    public void finish(int position) throws IOException {
        channel.configureBlocking(true);
        flood.limit(position);
        while (flood.hasRemaining()) {
            channel.write(flood);
        }
        channel.shutdownOutput();
    }

    /** {@return how much of the flood has been sent} */
    public int sent() {
        return flood.position();
    }

    /** {@return the connection, from now on as an ordinary blocking one} */
    public SocketChannel blocking() throws IOException {
        channel.configureBlocking(true);
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
