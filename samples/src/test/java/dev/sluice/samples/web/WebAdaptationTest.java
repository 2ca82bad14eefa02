package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server changes with what it has to do, and no client notices anything but that. */
@EnabledOnOs(OS.LINUX)
class WebAdaptationTest {

    private static final int FILES = 40;

    @TempDir
    private Path root;
    private final List<byte[]> contents = new ArrayList<>();

    @BeforeEach
    void fill() throws Exception {
        for (int i = 0; i < FILES; i++) {
            contents.add(RandomBytes.of(i, 1000 + i));
            Files.write(root.resolve("file" + i), contents.get(i));
        }
    }

    @Test
    void hasAsManyThreadsAsItNeeds() throws Exception {
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.THREAD_POOL, "--adapt", "1", "--threads", "2",
                "--control", "0", "--status", "/status")) {
            ControlClient control = ControlClient.of(web);
            web.address();
            assertEquals("2", control.status("threads"));
            List<HttpClientSocket> clients = new ArrayList<>();
            // Each keeps a thread to itself, so that the last one is served only when there are as many.
            for (int i = 0; i < 8; i++) {
                clients.add(web.connect());
                assertArrayEquals(contents.get(i), clients.get(i).get("/file" + i).receive().content());
            }
            int threads = Integer.parseInt(control.status("threads"));
            assertTrue(threads >= 8 && threads <= 16, () -> "threads: " + threads);
            web.process().errors().awaitLine("decision", line -> line.endsWith(" pool adapts to 4 busy: 8 threads"));
            for (HttpClientSocket each : clients) {
                assertEquals(200, each.get("/status.csv").receive().status(), "it is still open");
                each.hangUp();
            }
            Patience.until("only those that are configured are left", () -> control.status("threads").equals("2"));
            assertTrue(Integer.parseInt(control.status("adaptations")) >= 4);
            web.process().stop();
        }
    }

    /** All threads that have something to log wait while nobody reads the log; nothing else keeps them busy so long. */
    @Test
    void hasAsManyThreadsOfAProactorAsItNeeds() throws Exception {
        String path = "/" + "x".repeat(4000);
        int requests = 8;
        try (WebSample web = WebSample.startHoldingOutput(ConcurrencyStrategy.CONCURRENT_PROACTOR, "--root",
                root.toString(), "--access-log", "-", "--adapt", "1", "--threads", "2", "--control", "0")) {
            ControlClient control = ControlClient.of(web);
            web.address();
            assertEquals("2", control.status("threads"));
            List<HttpClientSocket> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clients.add(web.connect());
                clients.get(i).send(HttpClientSocket.request("GET", path).repeat(requests));
            }
            Patience.until("more wait than there were", () -> Integer.parseInt(control.status("threads")) > 2);
            web.process().output().release();
            for (HttpClientSocket each : clients) {
                for (int i = 0; i < requests; i++) {
                    assertEquals(404, each.receive().status());
                }
                each.hangUp();
            }
            web.process().stop();
        }
    }

    @Test
    void adaptsThePoolOfEachPort() throws Exception {
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.REACTOR_PER_THREAD, "--adapt", "1",
                "--also", "0=half-sync-half-async", "--also", "0=thread-pool", "--also-threads", "2",
                "--control", "0")) {
            ControlClient control = ControlClient.of(web);
            web.process().awaitAddresses(3);
            List<Integer> ports = control.portsOfPools();
            assertEquals(2, ports.size());
            assertEquals("", control.status("threads"), "the reactor stays alone");
            List<HttpClientSocket> clients = new ArrayList<>();
            // Each keeps a thread of the second pool to itself, so that the last one is served only when there are 4.
            for (int i = 0; i < 4; i++) {
                clients.add(new HttpClientSocket(
                        new InetSocketAddress(web.address().getAddress(), ports.get(1))));
                assertArrayEquals(contents.get(i), clients.get(i).get("/file" + i).receive().content());
            }
            assertEquals("2", control.status("port " + ports.get(0) + " threads"), "nobody has asked there");
            for (HttpClientSocket each : clients) {
                each.hangUp();
            }
            assertTrue(web.process().errors().text().contains(
                    " port " + ports.get(1) + " pool adapts to 2 busy: 4 threads\n"));
            web.process().stop();
        }
    }

    @Test
    void keepsMoreFilesOpenAndTriesOtherWays(@TempDir Path directory) throws Exception {
        Path table = directory.resolve("adaptation.csv");
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.LEADER_FOLLOWERS, "--adapt", "0.3", "--pin",
                "threads", "--cache-files", "6", "--control", "0", "--status", "/status", "--adaptation-csv",
                table.toString())) {
            ControlClient control = ControlClient.of(web);
            web.address();
            String processors = Integer.toString(Runtime.getRuntime().availableProcessors());
            assertEquals(processors, control.status("threads"));
            AtomicBoolean over = new AtomicBoolean();
            Background<Integer> client = Background.run(() -> fetchAll(web, over));
            try {
                Patience.until("other ways are tried", () -> control.status("trials").equals("1"));
                Patience.until("the trial is over", () -> control.status("tried").isEmpty());
                Patience.until("all files stay open", () -> capacity(web).equals("48"));
            } finally {
                over.set(true);
            }
            assertTrue(client.result() > 1);
            assertEquals(processors, control.status("threads"), "they are pinned");
            web.process().stop();
        }
        assertRecorded(Files.readAllLines(table));
    }

    /** Each look is a row of the table, with the way that was tried meanwhile, and what became of it. */
    private static void assertRecorded(List<String> lines) {
        List<String> names = List.of(lines.get(0).split(","));
        List<String[]> rows = lines.stream().skip(1).map(line -> line.split(",", -1)).toList();
        assertTrue(rows.stream().allMatch(row -> row.length == names.size()), lines::toString);
        int tried = names.indexOf("tried");
        List<String[]> mapped = rows.stream().filter(row -> row[tried].equals("small by mmap")).toList();
        assertTrue(!mapped.isEmpty(), lines::toString);
        assertTrue(mapped.stream().allMatch(row -> row[names.indexOf("small files")].equals("mmap")), lines::toString);
        assertTrue(rows.stream().anyMatch(row -> row[names.indexOf("MB/s of ways tried")].startsWith("read ")),
                lines::toString);
        assertEquals("6", rows.get(0)[names.indexOf("capacity")]);
        assertEquals("48", rows.get(rows.size() - 1)[names.indexOf("capacity")]);
    }

    private static String capacity(WebSample web) throws Exception {
        String[] table = web.curl("/status.csv").text().split("\r\n");
        return table[1].split(",")[List.of(table[0].split(",")).indexOf("capacity")];
    }

    /** Fetches all files on one connection, again and again; tells how often. */
    private int fetchAll(WebSample web, AtomicBoolean over) throws Exception {
        try (HttpClientSocket client = web.connect()) {
            int rounds = 0;
            while (!over.get()) {
                for (int i = 0; i < FILES; i++) {
                    assertArrayEquals(contents.get(i), client.get("/file" + i).receive().content());
                }
                rounds++;
            }
            return rounds;
        }
    }

    @Test
    void beginsAnewWithAnotherConfiguration() throws Exception {
        Path config = Files.writeString(root.resolve("web.conf"), "threads = 2\n");
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.THREAD_POOL, "--adapt", "1", "--control", "0",
                "--config", config.toString())) {
            ControlClient control = ControlClient.of(web);
            try (HttpClientSocket one = web.connect(); HttpClientSocket other = web.connect();
                    HttpClientSocket third = web.connect()) {
                for (HttpClientSocket each : List.of(one, other, third)) {
                    assertEquals(200, each.get("/file1").receive().status());
                }
                web.process().errors().awaitLine("decision", line -> line.endsWith(": 4 threads"));
                Files.writeString(config, "threads = 2\ncache-files = 10\n");
                control.reload();
                Patience.until("another decision", () -> web.process().errors().lines().stream()
                        .filter(line -> line.endsWith(": 4 threads")).count() == 2);
                for (HttpClientSocket each : List.of(one, other, third)) {
                    assertEquals(200, each.get("/file1").receive().status());
                    each.hangUp();
                }
            }
            web.process().stop();
        }
    }
}
