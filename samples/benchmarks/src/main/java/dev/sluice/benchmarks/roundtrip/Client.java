package dev.sluice.benchmarks.roundtrip;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;

/** The client of every server: a blocking channel of java.nio. Each message has a number, and each reply is checked. */
final class Client implements Closeable {

    private static final int SEED = 31;

    private final ByteChannel channel;
    private final ByteBuffer message;
    private final ByteBuffer reply;
    private long number;

    private Client(ByteChannel channel, int size) {
        this.channel = channel;
        this.message = ByteBuffer.allocateDirect(size);
        this.reply = ByteBuffer.allocateDirect(size);
        for (int i = 0; i < size; i++) {
            message.put(i, (byte) (i * SEED >> 3));
        }
    }

    static Client connect(Transport transport, SocketAddress address, int size) throws IOException {
        if (transport == Transport.UDP) {
            return new Client(DatagramChannel.open().connect(address), size);
        }
        SocketChannel channel = SocketChannel.open(address);
        if (address instanceof InetSocketAddress) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        return new Client(channel, size);
    }

    void roundTrip() throws IOException {
        message.clear().putLong(0, ++number);
        while (message.hasRemaining()) {
            channel.write(message);
        }
        reply.clear();
        while (reply.hasRemaining()) {
            if (channel.read(reply) < 0) {
                throw new IOException("the server has closed the connection");
            }
        }
        if (!reply.flip().equals(message.flip())) {
            throw new IOException("reply " + number + " is not what was sent");
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
