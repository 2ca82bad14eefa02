package dev.sluice.benchmarks.recipes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * An echo server on a selector, with a buffer for each connection: a peer that does not read is not read from. If no
 * descriptor is left for a connection, no other one is accepted for 100 ms.
 */
public final class NioEcho {

    public static void main(String[] args) throws IOException {
        Selector selector = Selector.open();
        ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(Integer.parseInt(args[0])));
        server.configureBlocking(false);
        SelectionKey accepting = server.register(selector, SelectionKey.OP_ACCEPT);
        while (true) {
            boolean paused = accepting.interestOps() == 0;
            selector.select(key -> {
                try {
                    if (key.isAcceptable()) {
                        accept(server.accept(), selector);
                    } else {
                        echo(key, (SocketChannel) key.channel(), (ByteBuffer) key.attachment());
                    }
                } catch (IOException e) {
                    close(key);
                }
            }, paused ? 100 : 0);
            if (paused) {
                accepting.interestOps(SelectionKey.OP_ACCEPT);
            }
        }
    }

    private static void accept(SocketChannel channel, Selector selector) throws IOException {
        if (channel != null) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, ByteBuffer.allocateDirect(64 * 1024));
        }
    }

    private static void echo(SelectionKey key, SocketChannel channel, ByteBuffer bytes) throws IOException {
        boolean ended = channel.read(bytes) < 0;
        channel.write(bytes.flip());
        if (ended && !bytes.hasRemaining()) {
            channel.close();
        } else {
            key.interestOps(bytes.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            bytes.compact();
        }
    }

    private static void close(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                key.interestOps(0);
            } else {
                key.channel().close();
            }
        } catch (IOException e) {
            System.err.println(e);
        }
    }
}
