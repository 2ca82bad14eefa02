package dev.sluice.benchmarks.datagrams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.function.Consumer;

/** A {@link DatagramChannel} with a {@link Selector}. */
public final class ChannelReflector extends ReflectorWorkload {

    private final DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
    private final Selector selector = Selector.open();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
    private final Consumer<SelectionKey> reflectAll = this::reflectAll;

    /**
     * Opens it.
     *
     * @param arguments the size of a datagram, and how they are sent
     * @throws IOException if it cannot be opened
     */
    public ChannelReflector(List<String> arguments) throws IOException {
        super(arguments);
        channel.bind(DatagramWorkload.anyPort()).configureBlocking(false).register(selector, SelectionKey.OP_READ);
    }

    @Override
    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    @Override
    void reflect() throws IOException {
        selector.select(reflectAll, WAIT.toMillis());
    }

    private void reflectAll(SelectionKey key) {
        try {
            SocketAddress sender = channel.receive(buffer.clear());
            while (sender != null) {
                channel.send(buffer.flip(), sender);
                if (buffer.hasRemaining()) {
                    throw socketFull();
                }
                sender = channel.receive(buffer.clear());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            selector.close();
        }
    }
}
