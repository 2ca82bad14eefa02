package dev.sluice.samples.gopher;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A Gopher server in a process of its own. */
record GopherSample(RunningSample process) implements AutoCloseable {

    static GopherSample serve(Path root, ConcurrencyStrategy concurrency, String... options) throws IOException {
        return new GopherSample(SampleCommand.of(Stream.concat(Stream.of("gopher", root.toString(), "--port", "0",
                "--concurrency", concurrency.toString()), Stream.of(options)).toArray(String[]::new)).start());
    }

    InetSocketAddress address() throws InterruptedException {
        return process.awaitAddress();
    }

    Socket connect() throws Exception {
        return connect(0);
    }

    /**
     * {@return a client}
     *
     * @param receiveBuffer its size, 0 for the system's choice
     */
    Socket connect(int receiveBuffer) throws Exception {
        Socket socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(address());
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        socket.setTcpNoDelay(true);
        return socket;
    }

    byte[] ask(String selector) throws Exception {
        try (Socket socket = connect()) {
            send(socket, selector + "\r\n");
            return socket.getInputStream().readAllBytes();
        }
    }

    String text(String selector) throws Exception {
        return new String(ask(selector), UTF_8);
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
    }

    @Override
    public void close() {
        process.close();
    }
}
