package dev.sluice.benchmarks.waiting;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * The connections of one benchmark, as many as are registered: their far ends, which have sent a byte to some of the
 * near ends, and what the near ends are registered with. The ready ones are spread evenly over all.
 */
final class Connections implements Closeable {

    /** Where acceptors listen. */
    static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static final int HUNDRED = 100;

    private final List<SocketChannel> farEnds = new ArrayList<>();
    private final List<Watched> watched = new ArrayList<>();

    /** Makes the near end of a connection that is about to be accepted, and registers it. */
    @FunctionalInterface
    interface Registrar {

        /**
         * Accepts and registers.
         *
         * @param attachment to register with
         * @throws IOException if it cannot be done
         */
        void acceptAndRegister(Watched attachment) throws IOException;
    }

    /**
     * Connects them all.
     *
     * @param address    of the acceptor of the near ends
     * @param registered how many
     * @param percent    of them are ready; at least one is
     * @param registrar  of the near ends
     * @throws IOException if the system refuses
     */
    void connect(SocketAddress address, int registered, int percent, Registrar registrar) throws IOException {
        int active = Math.max(registered * percent / HUNDRED, 1);
        for (int i = 0; i < registered; i++) {
            SocketChannel farEnd = SocketChannel.open(address);
            farEnds.add(farEnd);
            // A close then leaves nothing behind, after thousands of connections.
            farEnd.setOption(StandardSocketOptions.SO_LINGER, 0);
            Watched attachment = new Watched((long) i * active % registered < active);
            watched.add(attachment);
            registrar.acceptAndRegister(attachment);
            if (attachment.isReady()) {
                farEnd.write(ByteBuffer.wrap(new byte[1]));
            }
        }
    }

    /** {@return whether every ready connection has been reported} */
    boolean areReported() {
        return watched.stream().allMatch(each -> each.isReported() == each.isReady());
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel farEnd : farEnds) {
            farEnd.close();
        }
    }
}
