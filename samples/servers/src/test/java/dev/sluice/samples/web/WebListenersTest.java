package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.ProcessFigures;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.io.FileIo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Several strategies in one process, each at a port of its own. Haboob has none but its stages. */
@EnabledOnOs(OS.LINUX)
class WebListenersTest {

    private final byte[] large = RandomBytes.of(31, 8_000_000);

    @TempDir
    private Path directory;
    private Path root;

    @BeforeEach
    void fill() throws Exception {
        root = Files.createDirectory(directory.resolve("root"));
        Files.write(root.resolve("large.bin"), large);
        Files.writeString(root.resolve("name"), "one");
    }

    /** {@return the options for each strategy there is, with each way for files in turn} */
    private static List<String> everyStrategy() {
        List<String> options = new ArrayList<>();
        FileIo[] ways = FileIo.values();
        for (ConcurrencyStrategy each : ConcurrencyStrategy.values()) {
            if (each.unavailable() == null) {
                options.add("--also=0=" + each + "/" + ways[options.size() % ways.length].name().toLowerCase());
            }
        }
        return options;
    }

    private static String name(HttpClientSocket client) throws IOException {
        return new String(client.get("/name").receive().content(), US_ASCII);
    }

    @Test
    void servesTheSameAtEachPortAndFinishesWhatItHasBegun() throws Exception {
        List<String> options = everyStrategy();
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.REACTOR_PER_THREAD,
                options.toArray(String[]::new))) {
            List<HttpClientSocket> clients = new ArrayList<>();
            for (InetSocketAddress address : web.process().awaitAddresses(options.size() + 1)) {
                HttpClientSocket client = new HttpClientSocket(address);
                clients.add(client);
                assertEquals("one", name(client));
                client.get("/large.bin");
                client.receiveHead();
            }
            web.process().terminate();
            for (HttpClientSocket client : clients) {
                assertArrayEquals(large, client.input().readNBytes(large.length));
                assertEquals(-1, client.input().read());
                client.close();
            }
            assertEquals(0, web.process().awaitExit());
            assertEquals("", web.process().errors().text());
        }
    }

    @Test
    void aReloadReachesEachPort() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(other.resolve("name"), "other");
        Path config = Files.writeString(directory.resolve("web.conf"), "root = " + root);
        try (WebSample web = WebSample.start(ConcurrencyStrategy.LEADER_FOLLOWERS, "--config", config.toString(),
                "--also", "0=proactor-per-thread", "--also", "0=thread-per-connection")) {
            List<InetSocketAddress> addresses = web.process().awaitAddresses(3);
            Files.writeString(config, "root = " + other);
            web.process().hangUp();
            for (InetSocketAddress address : addresses) {
                try (HttpClientSocket client = new HttpClientSocket(address)) {
                    Patience.until(() -> address + " of " + addresses + " has the new root; the server says "
                            + web.process().errors().text(), () -> name(client).equals("other"));
                }
            }
            web.process().stop();
        }
    }

    @Test
    void aReloadChangesEachPool() throws Exception {
        Path config = Files.writeString(directory.resolve("web.conf"), "also-threads = 3");
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.REACTOR_PER_THREAD, "--config",
                config.toString(), "--control", "0", "--also", "0=half-sync-half-async", "--also", "0=leader-followers",
                "--also", "0=reactor-per-thread")) {
            ControlClient control = ControlClient.of(web);
            List<InetSocketAddress> addresses = web.process().awaitAddresses(4);
            List<Integer> ports = control.portsOfPools();
            assertEquals(2, ports.size());
            for (int count : new int[] {3, 7, 1}) {
                Files.writeString(config, "also-threads = " + count);
                control.reload();
                for (int port : ports) {
                    assertEquals(Integer.toString(count), control.status("port " + port + " threads"));
                }
                ProcessFigures figures = web.process().figures();
                Patience.until("there are " + count, () -> figures.countOfThreads("worker") == count
                        && figures.countOfThreads("pool") == count);
                for (InetSocketAddress address : addresses) {
                    try (HttpClientSocket client = new HttpClientSocket(address)) {
                        assertEquals("one", name(client));
                    }
                }
            }
            web.process().stop();
        }
    }

    @Test
    void takenPortIsReportedAndNothingServes() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                WebSample web = WebSample.serve(root, ConcurrencyStrategy.REACTOR_PER_THREAD,
                        "--also", "0=thread-pool", "--also", taken.getLocalPort() + "=thread-per-connection")) {
            assertEquals(1, web.process().awaitExit());
            String errors = web.process().errors().text();
            assertTrue(errors.contains(":" + taken.getLocalPort()) && errors.strip().lines().count() == 1, errors);
            assertEquals("", web.process().output().text());
        }
    }
}
