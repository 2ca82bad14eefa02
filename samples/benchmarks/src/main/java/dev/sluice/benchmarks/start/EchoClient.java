package dev.sluice.benchmarks.start;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Connections to an echo server, each of which has been answered once. */
final class EchoClient implements Closeable {

    private static final int SIZE = 64;
    /** From one address there are not many more ports than this. */
    private static final int PER_ADDRESS = 10_000;
    private static final int FIRST_ADDRESS = 2;

    private final int port;
    private final ByteBuffer sent = ByteBuffer.allocateDirect(SIZE);
    private final ByteBuffer received = ByteBuffer.allocateDirect(SIZE);
    private final List<SocketChannel> connections = new ArrayList<>();

    EchoClient(int port) {
        this.port = port;
    }

    /** Makes a connection, has it answered, and leaves it open. */
    void open() throws IOException {
        SocketChannel channel = SocketChannel.open();
        connections.add(channel);
        // With a reset at the end, so that its port can be had again at once.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        int address = FIRST_ADDRESS + connections.size() / PER_ADDRESS;
        channel.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) address}), 0));
        channel.connect(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
        exchange(channel);
    }

    private void exchange(SocketChannel channel) throws IOException {
        sent.clear();
        for (int i = 0; i < SIZE; i++) {
            sent.put(i, (byte) (i + connections.size()));
        }
        channel.write(sent);
        received.clear();
        while (received.hasRemaining()) {
            if (channel.read(received) < 0) {
                throw new EOFException("the echo server has closed a connection");
            }
        }
        if (!received.flip().equals(sent.flip())) {
            throw new IOException("the echo is not what was sent");
        }
    }

    /** Closes all connections, and can make new ones. */
    void leave() throws IOException {
        for (SocketChannel channel : connections) {
            channel.close();
        }
        connections.clear();
    }

    @Override
    public void close() throws IOException {
        leave();
    }
}
