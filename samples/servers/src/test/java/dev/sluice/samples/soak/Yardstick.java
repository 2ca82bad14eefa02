package dev.sluice.samples.soak;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;

/**
 * How long a message takes with nothing but a blocking thread at the other end. What slows the machine down slows this
 * down too, so what becomes slower against it has become slower by itself.
 */
final class Yardstick implements AutoCloseable {

    private static final int MESSAGES = 50;

    private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final PlainClient client;
    private final byte[] message = new byte[32];

    Yardstick() throws IOException {
        Thread thread = new Thread(this::echo, "yardstick");
        thread.setDaemon(true);
        thread.start();
        client = new PlainClient(new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort()));
    }

    private void echo() {
        try (Socket socket = listening.accept()) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[message.length];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                socket.getOutputStream().write(buffer, 0, count);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Exchanges some messages. */
    int hold(Random random) throws IOException {
        for (int i = 0; i < MESSAGES; i++) {
            random.nextBytes(message);
            client.send(message);
            client.expect(message, 0, message.length);
        }
        return MESSAGES;
    }

    @Override
    public void close() throws IOException {
        client.close();
        listening.close();
    }
}
