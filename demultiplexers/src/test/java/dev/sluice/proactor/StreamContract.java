package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.eventloop.OtherThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** One connection of a proactor, with a peer that the test plays. */
abstract class StreamContract extends ProactorContract {

    static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    static final Duration SHORT = Duration.ofMillis(200);

    /** Of the connection under test. */
    final NotingHandler handler = new NotingHandler();

    final AsyncAcceptor listen() throws IOException {
        return AsyncAcceptor.listen(proactor, ANY_PORT, () -> handler);
    }

    final Socket connect() throws IOException {
        return connect(listen());
    }

    final Socket connect(AsyncAcceptor acceptor) throws IOException {
        Socket socket = new Socket();
        own(socket::close);
        socket.connect(acceptor.localAddress(), (int) LIMIT.toMillis());
        socket.setSoTimeout((int) LIMIT.toMillis());
        return socket;
    }

    /** Sends in another thread, and then ends the output. */
    static OtherThread<Void> write(Socket peer, byte[] bytes) {
        return OtherThread.start(() -> {
            peer.getOutputStream().write(bytes);
            peer.shutdownOutput();
            return null;
        });
    }

    /** Receives in another thread. */
    static OtherThread<byte[]> read(Socket peer) {
        return OtherThread.start(() -> peer.getInputStream().readAllBytes());
    }

    final void runUntilClosed() throws IOException {
        runUntil(handler::isClosed);
        runUntilIdle();
        assertEquals(1, handler.hooks().stream().filter("closed"::equals).count(), () -> handler.hooks().toString());
        assertEquals("closed", handler.hooks().get(handler.hooks().size() - 1));
        assertFalse(handler.stream.isConnected());
    }
}
