package dev.sluice.walk;

import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that echoes messages of one connection, for {@link RecordedWalk}. The peer sends the next message only
 * after the last hook for the previous one has run, so the calls for two messages never mix.
 */
abstract class EchoProgram {

    /** Messages before the recorded ones, for which buffers and code are still being prepared. */
    static final int WARM_UP = 50;
    static final int RECORDED = 20;
    static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int SIZE = 64;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private volatile int echoed;

    /** Serves the connection until the peer closes it. */
    void serve(SocketStream near) throws IOException {
        throw new UnsupportedOperationException("accepts the connection by itself");
    }

    /** To be called at the end of the last hook that is called for a message. */
    final void echoed() {
        echoed++;
        if (echoed == WARM_UP) {
            begin();
        } else if (echoed == WARM_UP + RECORDED + 1) {
            end();
        }
    }

    /** Recording begins when this is called. */
    private void begin() {
    }

    /** Recording ends when this is called. */
    private void end() {
    }

    final void run() throws IOException, InterruptedException {
        try (SocketAcceptor acceptor = SocketAcceptor.open(ANY)) {
            Thread peer = startPeer(acceptor.localAddress());
            serve(acceptor.accept(LIMIT));
            peer.join();
        }
    }

    /** {@return the thread of a peer that has begun to connect, and closes the connection at the end} */
    final Thread startPeer(SocketAddress address) {
        Thread peer = new Thread(() -> exchange((InetSocketAddress) address), "peer");
        peer.start();
        return peer;
    }

    private void exchange(InetSocketAddress address) {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setTcpNoDelay(true);
            for (int message = 1; message <= WARM_UP + RECORDED + 1; message++) {
                socket.getOutputStream().write(new byte[SIZE]);
                if (socket.getInputStream().readNBytes(SIZE).length < SIZE) {
                    throw new IOException("the echo has ended");
                }
                while (echoed < message) {
                    LockSupport.parkNanos(100_000);
                }
            }
        } catch (IOException e) {
            e.printStackTrace();
            System.exit(1);
        }
    }
}
