package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection whose octets the test chooses one by one. */
final class HttpClientSocket implements AutoCloseable {

    private static final String HEAD_END = "\r\n\r\n";
    private static final Pattern LENGTH = Pattern.compile("\r\nContent-Length: (\\d+)\r\n");

    private final Socket socket = new Socket();
    private final InputStream in;

    HttpClientSocket(InetSocketAddress address) throws IOException {
        this(address, 0);
    }

    /** Connects, with a receive buffer of this size unless it is 0. */
    HttpClientSocket(InetSocketAddress address, int receiveBuffer) throws IOException {
        int limit = (int) Patience.LIMIT.toMillis();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(address, limit);
        socket.setSoTimeout(limit);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** What came back. */
    record Received(String head, byte[] content) {

        int status() {
            return Integer.parseInt(head.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
        }

        boolean closes() {
            return head.contains("\r\nConnection: close\r\n");
        }
    }

    HttpClientSocket send(String octets) throws IOException {
        socket.getOutputStream().write(octets.getBytes(ISO_8859_1));
        return this;
    }

    /** Sends a GET with these further lines, without their ends. */
    HttpClientSocket get(String target, String... fields) throws IOException {
        return send(request("GET", target, fields));
    }

    /** {@return a request with these further lines, without their ends} */
    static String request(String method, String target, String... fields) {
        return method + " " + target + " HTTP/1.1\r\nHost: test\r\n" + String.join("\r\n", fields)
                + (fields.length > 0 ? "\r\n\r\n" : "\r\n");
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    String receiveHead() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf(HEAD_END, head.length() - HEAD_END.length()) < 0) {
            int octet = in.read();
            if (octet < 0) {
                throw new EOFException("the connection ended in: " + head);
            }
            head.append((char) octet);
        }
        return head.toString();
    }

    /** Receives a reply with its content. */
    Received receive() throws IOException {
        String head = receiveHead();
        Matcher length = LENGTH.matcher(head);
        int count = length.find() ? Integer.parseInt(length.group(1)) : 0;
        byte[] content = in.readNBytes(count);
        assertEquals(count, content.length, "the content ended early");
        return new Received(head, content);
    }

    InputStream input() {
        return in;
    }

    /** Waits for the end of the stream, with nothing before it. */
    void expectEnd() throws IOException {
        assertEquals(-1, in.read());
    }

    Socket socket() {
        return socket;
    }

    /** {@return what comes, from now on with as large a buffer as a client has that was never slow} */
    InputStream hurry() throws IOException {
        socket.setReceiveBufferSize(1 << 20);
        return in;
    }

    /** Closes, because a server that stops waits a while for clients that do not. */
    void hangUp() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        hangUp();
    }
}
