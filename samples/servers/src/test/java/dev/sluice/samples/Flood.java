package dev.sluice.samples;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Clients that pipeline requests without end and never read a reply. For one thread. */
public final class Flood implements AutoCloseable {

    /** Of each client's socket, in octets. */
    private static final int BUFFER = 64 * 1024;
    /** Octets of requests offered to a connection at a time. */
    private static final int BURST = 256 * 1024;

    private final InetSocketAddress server;
    private final List<Client> clients = new ArrayList<>();
    private long replaced;

    /** One of them. */
    private final class Client {

        private final ByteBuffer requests;
        private SocketChannel channel;
        private boolean throttled;

        Client(String request) throws IOException {
            byte[] once = request.getBytes(US_ASCII);
            requests = ByteBuffer.allocateDirect(Math.max(1, BURST / once.length) * once.length);
            while (requests.hasRemaining()) {
                requests.put(once);
            }
            requests.clear();
            connect();
        }

        private void connect() throws IOException {
            requests.clear();
            channel = SocketChannel.open();
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
            channel.connect(server);
            channel.configureBlocking(false);
        }

        void send() throws IOException {
            try {
                throttled |= channel.write(requests) == 0;
                if (!requests.hasRemaining()) {
                    requests.clear();
                }
            } catch (IOException e) {
                // The server's timeout has elapsed, and the client begins again.
                channel.close();
                connect();
                replaced++;
            }
        }
    }

    /** Opens no connection yet. */
    public Flood(InetSocketAddress server) {
        this.server = server;
    }

    /** Adds clients that send a request over and over. */
    public void add(int count, String request) throws IOException {
        for (int i = 0; i < count; i++) {
            clients.add(new Client(request));
        }
    }

    /** Sends until the server reads no more from any of them before it has answered earlier requests. */
    public void untilThrottled() throws Exception {
        Patience.until(() -> clients.stream().filter(client -> !client.throttled).count() + " are not throttled, "
                + replaced + " were cut", () -> {
                    send();
                    return clients.stream().allMatch(client -> client.throttled);
                });
    }

    /** Gives each of them a turn to send. */
    public void send() throws IOException {
        for (Client client : clients) {
            client.send();
        }
    }

    @Override
    public void close() throws IOException {
        for (Client client : clients) {
            client.channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            client.channel.close();
        }
    }
}
