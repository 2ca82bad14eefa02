package dev.sluice.benchmarks.roundtrip;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** A Selector with one connection. */
final class SelectorServer extends EchoServer {

    private final ServerSocketChannel acceptor;
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);

    SelectorServer(SocketAddress address) throws IOException {
        acceptor = Channels.listen(address);
        selector = Selector.open();
    }

    @Override
    SocketAddress address() throws IOException {
        return acceptor.getLocalAddress();
    }

    @Override
    void serve() throws IOException {
        try (acceptor; selector; SocketChannel channel = Channels.accept(acceptor)) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            Consumer<SelectionKey> echo = this::echo;
            while (channel.isOpen()) {
                selector.select(echo);
            }
        }
    }

    private void echo(SelectionKey key) {
        try {
            SocketChannel channel = (SocketChannel) key.channel();
            if (channel.read(buffer.clear()) < 0) {
                channel.close();
                return;
            }
            channel.write(buffer.flip());
            requireSent(buffer.remaining());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
