package dev.sluice.samples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * Checks that the samples of this JVM leave no descriptor open: when the last of them has ended, and the clients that
 * the test has closed, no more are open than before the first.
 */
final class SampleDescriptors {

    private static int running;
    private static long before;

    static {
        // What Java opens once, at the first use of its own channels, is not the samples'.
        try (Selector selector = Selector.open(); ServerSocketChannel listening = ServerSocketChannel.open();
                SocketChannel client = SocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client.connect(listening.getLocalAddress());
            client.configureBlocking(false).register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SampleDescriptors() {
    }

    static synchronized void opened() {
        if (running++ == 0) {
            before = open().size();
        }
    }

    static synchronized void closed() {
        if (--running == 0) {
            try {
                Patience.until(() -> "more than the " + before + " descriptors before: " + open(),
                        () -> open().size() <= before);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private static List<String> open() {
        try {
            return ProcessFigures.ofThisJvm().descriptors();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
