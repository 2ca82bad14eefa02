package dev.sluice.samples.haboob;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.samples.Patience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Clients that pipeline requests without end and never read a reply. For one thread. */
final class Flood implements AutoCloseable {

    /** Of each client's socket, in octets. */
    private static final int BUFFER = 64 * 1024;
    /** So many octets of requests are offered to a connection at once. */
    private static final int BURST = 256 * 1024;
    /** So often nobody takes anything before all are said to be stuck. */
    private static final int CALM_LOOKS = 20;

    private final InetSocketAddress server;
    private final List<Client> clients = new ArrayList<>();
    private long replaced;

    /** One of them. */
    private final class Client {

        private final ByteBuffer requests;
        private SocketChannel channel;
        private boolean moved;

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

        /** {@return whether the server has taken anything, or closed the connection} */
        boolean send() throws IOException {
            try {
                int count = channel.write(requests);
                if (!requests.hasRemaining()) {
                    requests.clear();
                }
                moved |= count > 0;
                return count > 0;
            } catch (IOException e) {
                // The server's patience has ended, and the client begins again.
                channel.close();
                connect();
                replaced++;
                return true;
            }
        }
    }

    /** Connects nobody yet. */
    Flood(InetSocketAddress server) {
        this.server = server;
    }

    /** Adds clients that send a request over and over. */
    void add(int count, String request) throws IOException {
        for (int i = 0; i < count; i++) {
            clients.add(new Client(request));
        }
    }

    /** Sends until nobody takes any more: all that can be filled is full. */
    void untilStuck() throws Exception {
        int[] calm = new int[1];
        Patience.until(() -> clients.stream().filter(client -> !client.moved).count() + " have never sent anything, "
                + replaced + " were cut", () -> {
                    boolean moved = send();
                    calm[0] = moved ? 0 : calm[0] + 1;
                    return calm[0] == CALM_LOOKS && clients.stream().allMatch(client -> client.moved);
                });
    }

    /** {@return whether any of them could send, of which each gets a turn} */
    boolean send() throws IOException {
        boolean moved = false;
        for (Client client : clients) {
            moved |= client.send();
        }
        return moved;
    }

    /** {@return how many connections the server has closed, instead of which there are new ones} */
    long replaced() {
        return replaced;
    }

    @Override
    public void close() throws IOException {
        for (Client client : clients) {
            client.channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            client.channel.close();
        }
    }
}
