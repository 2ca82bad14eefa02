package dev.sluice.samples.soak;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.samples.Patience;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;

/** A connection with the JDK's own sockets. */
final class PlainClient implements AutoCloseable {

    private final Socket socket = new Socket();
    private final InputStream in;

    PlainClient(InetSocketAddress address) throws IOException {
        this(address, 0);
    }

    /** Connects, with a receive buffer of this size unless it is 0. */
    PlainClient(InetSocketAddress address, int receiveBuffer) throws IOException {
        try {
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            int limit = (int) Patience.LIMIT.toMillis();
            socket.connect(address, limit);
            socket.setSoTimeout(limit);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    void send(byte[] bytes, int from, int length) throws IOException {
        socket.getOutputStream().write(bytes, from, length);
    }

    void send(byte[] bytes) throws IOException {
        send(bytes, 0, bytes.length);
    }

    void send(String octets) throws IOException {
        send(octets.getBytes(ISO_8859_1));
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    byte[] receive(int count) throws IOException {
        return in.readNBytes(count);
    }

    /** {@return what comes up to these characters, and them} */
    String receiveUntil(String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end, text.length() - end.length()) < 0) {
            int octet = in.read();
            if (octet < 0) {
                throw new AssertionError("the connection ended in: " + text);
            }
            text.append((char) octet);
        }
        return text.toString();
    }

    void expect(byte[] expected, int from, int length) throws IOException {
        byte[] received = receive(length);
        int difference = Arrays.mismatch(expected, from, from + length, received, 0, received.length);
        if (difference >= 0) {
            throw new AssertionError("another byte at " + difference + " of " + length + ", " + received.length
                    + " came");
        }
    }

    void expectEnd() throws IOException {
        int octet = in.read();
        if (octet >= 0) {
            throw new AssertionError("there is more: " + octet);
        }
    }

    /** Reads whatever comes until the end. */
    void drain() throws IOException {
        in.transferTo(OutputStream.nullOutputStream());
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
