package dev.sluice.benchmarks.roundtrip;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Blocking channels of java.nio. */
final class BlockingChannelServer extends EchoServer {

    private final ServerSocketChannel acceptor;
    private final ByteBuffer buffer;

    BlockingChannelServer(SocketAddress address, int size) throws IOException {
        acceptor = Channels.listen(address);
        buffer = ByteBuffer.allocateDirect(size);
    }

    @Override
    SocketAddress address() throws IOException {
        return acceptor.getLocalAddress();
    }

    @Override
    void serve() throws IOException {
        try (acceptor; SocketChannel channel = Channels.accept(acceptor)) {
            while (receiveFully(channel)) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
        }
    }

    private boolean receiveFully(SocketChannel channel) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                return false;
            }
        }
        return true;
    }
}
