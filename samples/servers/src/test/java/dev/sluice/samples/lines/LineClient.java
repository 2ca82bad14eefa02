package dev.sluice.samples.lines;

import dev.sluice.samples.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends lines to a server on this machine, and reads lines. */
public final class LineClient implements AutoCloseable {

    private final Socket socket = new Socket();
    private final BufferedReader answers;

    public LineClient(int port) throws IOException {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    public void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** {@return the next line, null at the end} */
    public String answer() throws IOException {
        return answers.readLine();
    }

    public String ask(String line) throws IOException {
        send(line + "\n");
        return answer();
    }

    /** Ends the connection with a reset. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
