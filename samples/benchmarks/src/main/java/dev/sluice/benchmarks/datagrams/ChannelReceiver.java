package dev.sluice.benchmarks.datagrams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;

/** {@link DatagramChannel}, either blocking or with a {@link Selector}. */
public final class ChannelReceiver extends DatagramWorkload {

    /** Tells the constructor that a selector is wanted. */
    static final String SELECTOR = "selector";

    private final DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(2048).order(ByteOrder.nativeOrder());
    private final Selector selector;

    /**
     * Opens it.
     *
     * @param arguments the size of a datagram, how they are sent, and how to wait
     * @throws IOException if it cannot be opened
     */
    public ChannelReceiver(List<String> arguments) throws IOException {
        super(arguments);
        channel.bind(anyPort());
        selector = arguments.get(2).equals(SELECTOR) ? Selector.open() : null;
        if (selector != null) {
            channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
        }
    }

    @Override
    int port() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    @Override
    void receive() throws IOException {
        while (!arrivals().isOver()) {
            if (selector == null) {
                channel.receive(buffer.clear());
                arrivals().take(buffer.flip());
            } else {
                selector.select(this::receiveAll);
            }
        }
    }

    private void receiveAll(SelectionKey key) {
        try {
            while (channel.receive(buffer.clear()) != null) {
                arrivals().take(buffer.flip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void discard() throws IOException {
        if (selector == null) {
            channel.configureBlocking(false);
        }
        while (channel.receive(buffer.clear()) != null) {
            arrivals().take(buffer.flip());
        }
        if (selector == null) {
            channel.configureBlocking(true);
        }
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            if (selector != null) {
                selector.close();
            }
        }
    }
}
