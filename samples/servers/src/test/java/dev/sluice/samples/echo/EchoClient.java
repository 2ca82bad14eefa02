package dev.sluice.samples.echo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A connection to the echo sample, with the JDK's own sockets. */
final class EchoClient implements AutoCloseable {

    private final Socket socket = new Socket();

    EchoClient(InetSocketAddress address) throws IOException {
        int limit = (int) Patience.LIMIT.toMillis();
        socket.connect(address, limit);
        socket.setSoTimeout(limit);
        socket.setTcpNoDelay(true);
    }

    void send(byte[] bytes, int from, int length) throws IOException {
        socket.getOutputStream().write(bytes, from, length);
    }

    void send(byte[] bytes) throws IOException {
        send(bytes, 0, bytes.length);
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    byte[] receive(int length) throws IOException {
        return socket.getInputStream().readNBytes(length);
    }

    byte[] receiveAll() throws IOException {
        return socket.getInputStream().readAllBytes();
    }

    void expectEnd() throws IOException {
        assertEquals(-1, socket.getInputStream().read());
    }

    void exchange(byte[] bytes) throws IOException {
        send(bytes);
        assertArrayEquals(bytes, receive(bytes.length));
    }

    int localPort() {
        return socket.getLocalPort();
    }

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
