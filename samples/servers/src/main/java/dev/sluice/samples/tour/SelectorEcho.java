package dev.sluice.samples.tour;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The echo that one would write with {@code java.nio}: one thread with a selector. For clients that read. */
final class SelectorEcho implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(SelectorEcho.class);

    private final Selector selector = Selector.open();
    private final ServerSocketChannel listening;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(16 * 1024);
    private final Thread thread = new Thread(this::run, "tour-selector");

    /** Listens, and starts the thread. */
    SelectorEcho() throws IOException {
        listening = ServerSocketChannel.open().bind(LoopEcho.anyPort());
        listening.configureBlocking(false);
        listening.register(selector, SelectionKey.OP_ACCEPT);
        thread.setDaemon(true);
        thread.start();
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listening.getLocalAddress();
    }

    private void run() {
        try {
            while (selector.isOpen()) {
                selector.select(this::serve);
            }
        } catch (ClosedSelectorException e) {
            LOG.debug("the selector was closed", e);
        } catch (IOException e) {
            LOG.warn("the selector has failed", e);
        }
    }

    private void serve(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                SocketChannel accepted = listening.accept();
                accepted.configureBlocking(false);
                accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
                accepted.register(selector, SelectionKey.OP_READ);
            } else {
                echo((SocketChannel) key.channel());
            }
        } catch (IOException e) {
            LOG.debug("a connection has ended", e);
            key.cancel();
        }
    }

    private void echo(SocketChannel channel) throws IOException {
        if (channel.read(buffer.clear()) < 0) {
            channel.close();
            return;
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    @Override
    public void close() throws IOException {
        List<SelectionKey> keys = new ArrayList<>(selector.keys());
        selector.close();
        for (SelectionKey key : keys) {
            key.channel().close();
        }
    }
}
