package dev.sluice.benchmarks.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CountDownLatch;

/** TCP echo on asynchronous channels, whose group has one thread: each connection reads and writes in turn. */
public final class AsynchronousChannelEcho {

    private static final int SMALLEST_BUFFER = 4 * 1024;
    private static final int LARGEST_BUFFER = 256 * 1024;
    private static final int GROWTH = 4;

    private AsynchronousChannelEcho() {
    }

    /**
     * Serves until the process ends.
     *
     * @param arguments none
     * @throws IOException          if it cannot accept
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        AsynchronousChannelGroup group = AsynchronousChannelGroup.withFixedThreadPool(1, Thread::new);
        try (AsynchronousServerSocketChannel acceptor = AsynchronousServerSocketChannel.open(group)) {
            acceptor.bind(new InetSocketAddress("127.0.0.1", 0), Announcement.BACKLOG);
            acceptor.accept(null, new Accepting(acceptor));
            Announcement.print("java.nio AIO", acceptor.getLocalAddress());
            new CountDownLatch(1).await();
        }
    }

    private record Accepting(AsynchronousServerSocketChannel acceptor)
            implements CompletionHandler<AsynchronousSocketChannel, Void> {

        @Override
        public void completed(AsynchronousSocketChannel channel, Void attachment) {
            acceptor.accept(null, this);
            try {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                new Connection(channel).read();
            } catch (IOException e) {
                e.printStackTrace();
            }
        }

        @Override
        public void failed(Throwable cause, Void attachment) {
            cause.printStackTrace();
        }
    }

    /** Both its reads, which have no attachment, and its writes, whose attachment is the buffer. */
    private static final class Connection implements CompletionHandler<Integer, ByteBuffer> {

        private final AsynchronousSocketChannel channel;
        private ByteBuffer buffer = ByteBuffer.allocateDirect(SMALLEST_BUFFER);

        Connection(AsynchronousSocketChannel channel) {
            this.channel = channel;
        }

        void read() {
            channel.read(buffer.clear(), null, this);
        }

        @Override
        public void completed(Integer count, ByteBuffer writing) {
            if (count < 0) {
                close();
            } else if (writing == null) {
                channel.write(buffer.flip(), buffer, this);
            } else if (writing.hasRemaining()) {
                channel.write(writing, writing, this);
            } else {
                grow();
                read();
            }
        }

        /** What fills a buffer is likely to come in larger pieces, if there is room for them. */
        private void grow() {
            if (buffer.limit() == buffer.capacity() && buffer.capacity() < LARGEST_BUFFER) {
                buffer = ByteBuffer.allocateDirect(buffer.capacity() * GROWTH);
            }
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                e.printStackTrace();
            }
        }

        @Override
        public void failed(Throwable cause, ByteBuffer writing) {
            cause.printStackTrace();
            close();
        }
    }
}
