package dev.sluice.benchmarks.seda.sockets;

import dev.sluice.benchmarks.load.BurstTally;
import dev.sluice.benchmarks.peers.Announcement;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Acknowledges bursts in a thread for each connection. */
public final class ThreadServer {

    /** The argument that asks for virtual threads. */
    static final String VIRTUAL = "virtual";
    /** The argument that asks for platform threads. */
    static final String PLATFORM = "platform";

    private static final int READ = 16 * 1024;
    private static final long STACK = 256 * 1024;

    private ThreadServer() {
    }

    /**
     * Serves until the process ends.
     *
     * @param arguments the bytes of a burst, and what the threads are
     * @throws IOException if it cannot accept
     */
    public static void main(String[] arguments) throws IOException {
        long burst = Long.parseLong(arguments[0]);
        Thread.Builder builder = arguments[1].equals(VIRTUAL) ? Thread.ofVirtual()
                : Thread.ofPlatform().daemon().stackSize(STACK);
        try (ServerSocketChannel acceptor = ServerSocketChannel.open()) {
            acceptor.bind(new InetSocketAddress("127.0.0.1", 0), Announcement.BACKLOG);
            Announcement.print("threads", acceptor.getLocalAddress());
            while (true) {
                SocketChannel channel = acceptor.accept();
                builder.start(() -> serve(channel, burst));
            }
        }
    }

    private static void serve(SocketChannel channel, long burst) {
        BurstTally tally = new BurstTally(burst);
        ByteBuffer bytes = ByteBuffer.allocateDirect(READ);
        try (channel) {
            while (channel.read(bytes.clear()) >= 0) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    if (tally.take(bytes)) {
                        acknowledge(channel, tally);
                    }
                }
            }
            acknowledge(channel, tally);
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private static void acknowledge(SocketChannel channel, BurstTally tally) throws IOException {
        ByteBuffer acknowledgement = tally.acknowledgement();
        while (acknowledgement.hasRemaining()) {
            channel.write(acknowledgement);
        }
    }
}
