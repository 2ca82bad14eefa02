package dev.sluice.benchmarks.roundtrip;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Asynchronous channels of java.nio, in a group of one thread. */
final class AsynchronousChannelServer extends EchoServer {

    private final AsynchronousChannelGroup group;
    private final AsynchronousServerSocketChannel acceptor;
    private final CountDownLatch ended = new CountDownLatch(1);

    AsynchronousChannelServer(SocketAddress address) throws IOException {
        group = AsynchronousChannelGroup.withFixedThreadPool(1, Thread.ofPlatform().daemon().factory());
        acceptor = AsynchronousServerSocketChannel.open(group).bind(address);
    }

    @Override
    SocketAddress address() throws IOException {
        return acceptor.getLocalAddress();
    }

    @Override
    void serve() throws Exception {
        try (acceptor; AsynchronousSocketChannel channel = acceptor.accept().get()) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            new Echo(channel).read();
            ended.await();
        } finally {
            group.shutdownNow();
            group.awaitTermination(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Override
    void stop() {
        ended.countDown();
    }

    /** Reads, and writes what was read. */
    private final class Echo implements CompletionHandler<Integer, Void> {

        private final AsynchronousSocketChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
        private boolean writing;

        Echo(AsynchronousSocketChannel channel) {
            this.channel = channel;
        }

        void read() {
            writing = false;
            channel.read(buffer.clear(), null, this);
        }

        @Override
        public void completed(Integer bytes, Void attachment) {
            if (bytes < 0) {
                ended.countDown();
            } else if (!writing) {
                writing = true;
                channel.write(buffer.flip(), null, this);
            } else if (buffer.hasRemaining()) {
                channel.write(buffer, null, this);
            } else {
                read();
            }
        }

        @Override
        public void failed(Throwable cause, Void attachment) {
            // The connection is closed then, which the client notices.
            ended.countDown();
        }
    }
}
