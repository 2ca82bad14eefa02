package dev.sluice.benchmarks.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * TCP echo on a {@link Selector} with one thread. All connections read into one direct buffer, and what was read is
 * written at once; only what does not fit is kept, and the connection reads nothing more until it is written.
 */
public final class SelectorEcho {

    private static final int BUFFER_SIZE = 64 * 1024;

    /** Not left to the collector, which would be slow to free them. */
    private final Deque<ByteBuffer> spare = new ArrayDeque<>();
    private final Selector selector;
    private final ServerSocketChannel acceptor;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);

    private SelectorEcho(Selector selector, ServerSocketChannel acceptor) {
        this.selector = selector;
        this.acceptor = acceptor;
    }

    /**
     * Serves until the process ends.
     *
     * @param arguments none
     * @throws IOException if it cannot wait or accept
     */
    public static void main(String[] arguments) throws IOException {
        try (Selector selector = Selector.open(); ServerSocketChannel acceptor = ServerSocketChannel.open()) {
            acceptor.bind(new InetSocketAddress("127.0.0.1", 0), Announcement.BACKLOG);
            acceptor.configureBlocking(false);
            acceptor.register(selector, SelectionKey.OP_ACCEPT);
            Announcement.print("java.nio", acceptor.getLocalAddress());
            SelectorEcho echo = new SelectorEcho(selector, acceptor);
            while (true) {
                selector.select(echo::dispatch);
            }
        }
    }

    private void dispatch(SelectionKey key) {
        try {
            if (key.channel() == acceptor) {
                accept();
            } else if (key.isReadable()) {
                read(key);
            } else {
                write(key);
            }
        } catch (IOException e) {
            close(key, e);
        }
    }

    private void accept() throws IOException {
        for (SocketChannel channel = acceptor.accept(); channel != null; channel = acceptor.accept()) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
        }
    }

    private void read(SelectionKey key) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        int count;
        do {
            count = channel.read(buffer.clear());
            if (count < 0) {
                channel.close();
                return;
            }
            channel.write(buffer.flip());
            if (buffer.hasRemaining()) {
                key.attach(buffer);
                key.interestOps(SelectionKey.OP_WRITE);
                ByteBuffer next = spare.poll();
                buffer = next != null ? next : ByteBuffer.allocateDirect(BUFFER_SIZE);
                return;
            }
        } while (count == BUFFER_SIZE);
    }

    private void write(SelectionKey key) throws IOException {
        ByteBuffer rest = (ByteBuffer) key.attachment();
        ((SocketChannel) key.channel()).write(rest);
        if (!rest.hasRemaining()) {
            key.attach(null);
            key.interestOps(SelectionKey.OP_READ);
            spare.push(rest);
        }
    }

    private static void close(SelectionKey key, IOException cause) {
        cause.printStackTrace();
        try {
            key.channel().close();
        } catch (IOException e) {
            e.printStackTrace();
        }
    }
}
