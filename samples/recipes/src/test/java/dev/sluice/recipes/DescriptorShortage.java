package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * An echo server that may have fewer descriptors than there are clients. For programs that need no further class then,
 * since none can be read from a directory. On Linux.
 */
public final class DescriptorShortage {

    private static final int LIMIT = 150;
    /** Fewer than wait in any backlog. */
    private static final int WAITING = 20;
    private static final int LOOKS = 10;
    private static final int ENDING = 2 * WAITING;

    private DescriptorShortage() {
    }

    /** While clients have to wait, the server waits, too; and it serves them when others have left. */
    public static void assertIsSurvivedBy(Recipe recipe) throws Exception {
        InetSocketAddress address = FreePort.address();
        List<Socket> clients = new ArrayList<>();
        try (SampleProcess server = recipe.listening("ulimit -n " + LIMIT, address)) {
            while (descriptors(server.pid()) < LIMIT) {
                Socket client = connect(address, clients);
                Patience.until("it is served, or has to wait",
                        () -> client.getInputStream().available() > 0 || descriptors(server.pid()) == LIMIT);
            }
            for (int i = 0; i < WAITING; i++) {
                connect(address, clients);
            }
            int[] asleep = new int[1];
            Patience.until("it does not spin", () -> {
                // A thread that spins is hardly ever asleep.
                asleep[0] = server.figures().isAsleep("") ? asleep[0] + 1 : 0;
                return asleep[0] == LOOKS;
            });
            for (Socket client : clients.subList(0, ENDING)) {
                client.close();
            }
            for (int i = ENDING; i < clients.size(); i++) {
                assertEquals(i & 0xFF, clients.get(i).getInputStream().read());
            }
            assertTrue(server.isAlive());
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private static Socket connect(InetSocketAddress address, List<Socket> clients) throws IOException {
        Socket client = new Socket(address.getAddress(), address.getPort());
        client.setSoTimeout((int) Patience.LIMIT.toMillis());
        client.getOutputStream().write(clients.size());
        clients.add(client);
        return client;
    }

    private static long descriptors(long process) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", Long.toString(process), "fd"))) {
            return descriptors.count();
        }
    }
}
