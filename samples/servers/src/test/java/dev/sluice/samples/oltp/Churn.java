package dev.sluice.samples.oltp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Connections that come, and end in each way: after a reply, before it, and before any request. */
public final class Churn {

    private static final int CONNECTIONS = 60;

    private Churn() {
    }

    public static void run(InetSocketAddress server) throws IOException {
        List<RespClient> clients = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            clients.add(new RespClient(server));
        }
        for (int i = 0; i < clients.size(); i++) {
            RespClient client = clients.get(i);
            switch (i % 3) {
                case 0 -> assertEquals("PONG", client.ask("PING"));
                case 1 -> client.send(RespClient.request("DEPOSIT", 1, 1, 0, 1));
                default -> { }
            }
        }
        for (RespClient client : clients) {
            client.close();
        }
    }
}
