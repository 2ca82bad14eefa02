package dev.sluice.samples.oltp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.samples.Patience;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A client whose requests the test chooses one by one. */
public final class RespClient implements AutoCloseable {

    private final Socket socket = new Socket();
    private final InputStream in;

    public RespClient(InetSocketAddress address) throws IOException {
        int limit = (int) Patience.LIMIT.toMillis();
        try {
            socket.connect(address, limit);
            socket.setSoTimeout(limit);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    public int localPort() {
        return socket.getLocalPort();
    }

    /** An error reply. */
    public record Failure(String message) { }

    /** {@return a request as it travels} */
    public static String request(Object... arguments) {
        StringBuilder text = new StringBuilder("*" + arguments.length + "\r\n");
        for (Object argument : arguments) {
            String word = argument.toString();
            text.append('$').append(word.getBytes(UTF_8).length).append("\r\n").append(word).append("\r\n");
        }
        return text.toString();
    }

    public RespClient send(String octets) throws IOException {
        socket.getOutputStream().write(octets.getBytes(UTF_8));
        return this;
    }

    /** Asks, and waits for the answer. */
    public Object ask(Object... arguments) throws IOException {
        return send(request(arguments)).receive();
    }

    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Receives a reply: a {@link String}, {@link Long}, {@link Failure}, {@link List} or null. */
    public Object receive() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> new Failure(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> {
                List<Object> elements = new ArrayList<>();
                for (int i = Integer.parseInt(rest); i > 0; i--) {
                    elements.add(receive());
                }
                yield elements;
            }
            default -> throw new IOException("no reply begins like this: " + line);
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        String text = new String(in.readNBytes(length), UTF_8);
        if (!line().isEmpty()) {
            throw new IOException("a bulk string without its end");
        }
        return text;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new EOFException("the connection ended in: " + line);
            }
            line.write(octet);
        }
        String text = line.toString(UTF_8);
        if (!text.endsWith("\r")) {
            throw new IOException("a line without CR: " + text);
        }
        return text.substring(0, text.length() - 1);
    }

    /** Waits for the end of the stream, with nothing before it. */
    public void expectEnd() throws IOException {
        int octet = in.read();
        if (octet >= 0) {
            throw new IOException("there is more: " + (char) octet);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
