package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A TCP connection to the logging sample, with the JDK's own sockets. */
final class SyslogClient implements AutoCloseable {

    private final Socket socket = new Socket();

    SyslogClient(InetSocketAddress address) throws IOException {
        int limit = (int) Patience.LIMIT.toMillis();
        socket.connect(address, limit);
        socket.setSoTimeout(limit);
        socket.setTcpNoDelay(true);
    }

    static String counted(String record) {
        return record.getBytes(UTF_8).length + " " + record;
    }

    void send(byte[] octets, int from, int length) throws IOException {
        socket.getOutputStream().write(octets, from, length);
    }

    void send(String text) throws IOException {
        byte[] octets = text.getBytes(UTF_8);
        send(octets, 0, octets.length);
    }

    /** Sends no more, and waits until the server has taken notice and closed. */
    void end() throws IOException {
        endOutput();
        expectEnd();
    }

    /** Sends no more. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Breaks the connection. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    void expectEnd() throws IOException {
        assertEquals(-1, socket.getInputStream().read());
    }

    int localPort() {
        return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
