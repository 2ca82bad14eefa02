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
    /** So many octets of requests are offered to a connection at once. */
    private static final int BURST = 256 * 1024;

    private final InetSocketAddress server;
    private final List<Client> clients = new ArrayList<>();
    private long replaced;

    /** One of them. */
    private final class Client {

        private final ByteBuffer requests;
        private SocketChannel channel;
        private boolean heldBack;

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
                heldBack |= channel.write(requests) == 0;
                if (!requests.hasRemaining()) {
                    requests.clear();
                }
            } catch (IOException e) {
                // The server's patience has ended, and the client begins again.
                channel.close();
                connect();
                replaced++;
            }
        }
    }

    /** Connects nobody yet. */
    public Flood(InetSocketAddress server) {
        this.server = server;
    }

    /** Adds clients that send a request over and over. */
    public void add(int count, String request) throws IOException {
        for (int i = 0; i < count; i++) {
            clients.add(new Client(request));
        }
    }

    /** Sends until the server has held each of them back: all that comes ahead of its turn is with them. */
    public void untilHeldBack() throws Exception {
        Patience.until(() -> clients.stream().filter(client -> !client.heldBack).count() + " send as they like, "
                + replaced + " were cut", () -> {
                    send();
                    return clients.stream().allMatch(client -> client.heldBack);
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
