package dev.sluice.benchmarks.roundtrip;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;

/** A Selector with one datagram channel. */
final class SelectorDatagramServer extends EchoServer {

    private final DatagramChannel channel;
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
    private volatile boolean stopped;

    SelectorDatagramServer(SocketAddress address) throws IOException {
        channel = DatagramChannel.open().bind(address);
        selector = Selector.open();
    }

    @Override
    SocketAddress address() throws IOException {
        return channel.getLocalAddress();
    }

    @Override
    void serve() throws IOException {
        try (selector; channel) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            Consumer<SelectionKey> echo = this::echo;
            while (!stopped) {
                selector.select(echo);
            }
        }
    }

    private void echo(SelectionKey key) {
        try {
            SocketAddress sender = channel.receive(buffer.clear());
            if (sender != null) {
                channel.send(buffer.flip(), sender);
                requireSent(buffer.remaining());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void stop() {
        stopped = true;
        selector.wakeup();
    }
}
