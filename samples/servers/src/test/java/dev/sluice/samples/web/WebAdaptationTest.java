package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.io.FileIo;
import dev.sluice.samples.io.IoStrategy;
import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server changes with what it has to do, and no client notices anything but that. Haboob's stages have controllers
 * instead.
 */
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
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.THREAD_POOL, "--adapt", "0.05", "--threads", "2",
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

    /** All threads that have something to end wait until they may. */
    @Test
    void hasAsManyThreadsOfAProactorAsItNeeds() throws Exception {
        try (HeldCalls shutdowns = new HeldCalls("shutdown"); WebSample web = WebSample.serve(root,
                ConcurrencyStrategy.CONCURRENT_PROACTOR, "--adapt", "0.05", "--threads", "2", "--control", "0")) {
            ControlClient control = ControlClient.of(web);
            web.address();
            assertEquals("2", control.status("threads"));
            List<HttpClientSocket> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clients.add(web.connect());
                // A client that sends more than its last request is waited for.
                clients.get(i).send(HttpClientSocket.request("GET", "/none", "Connection: close") + "more");
            }
            Patience.until("more wait than there were", () -> Integer.parseInt(control.status("threads")) > 2);
            shutdowns.release();
            for (HttpClientSocket each : clients) {
                assertEquals(404, each.receive().status());
                each.hangUp();
            }
            web.process().stop();
        }
    }

    /**
     * Clients have always asked for more, so that all threads are busy, and a certain number of replies is let through
     * from one look to the next, so that more threads cannot answer more. There are even fewer the more threads there
     * are: where others use the machine, too, no two looks are of the same length, and chance might speak for the
     * threads.
     */
    @ParameterizedTest
    @MethodSource
    void takesThreadsBackThatBringNothing(ConcurrencyStrategy concurrency, @TempDir Path directory) throws Exception {
        Path table = directory.resolve("adaptation.csv");
        int clients = 8;
        int requests = 500;
        try (HeldCalls sends = new HeldCalls("send", "sendto", "sendmsg");
                WebSample web = WebSample.serve(root, concurrency, "--adapt", "0.05", "--pin", "cache,files",
                        "--threads", "2", "--idle-timeout", "600", "--request-timeout", "600", "--adaptation-csv",
                        table.toString())) {
            web.address();
            List<Background<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                answers.add(Background.run(() -> askAtOnce(web, requests)));
            }
            int[] looks = {0};
            Patience.until(() -> web.process().errors().text(), () -> {
                List<String> lines = Files.readAllLines(table);
                if (lines.size() > looks[0] && lines.size() > 1) {
                    looks[0] = lines.size();
                    List<String> names = List.of(lines.get(0).split(","));
                    int threads = Integer.parseInt(lines.get(looks[0] - 1).split(",", -1)[names.indexOf("threads")]);
                    sends.release(Math.max(1, 128 >> threads));
                }
                return web.process().errors().lines().stream().anyMatch(
                        line -> line.matches(".* pool has \\d+ threads again: more have not increased throughput"));
            });
            assertTrue(answers.stream().noneMatch(Background::isDone), "there was always something to do");
            sends.release();
            for (Background<Integer> each : answers) {
                assertEquals(requests, each.result());
            }
            web.process().stop();
        }
    }

    static Stream<ConcurrencyStrategy> takesThreadsBackThatBringNothing(TestInfo test) {
        // Not the concurrent Proactor: a call that is held keeps what its threads share, so that only one is busy.
        return Depth.first(test, Stream.of(ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC,
                ConcurrencyStrategy.LEADER_FOLLOWERS), 2);
    }

    /** Sends all requests and then receives; tells how many have been answered as they should. */
    private static int askAtOnce(WebSample web, int requests) throws Exception {
        try (HttpClientSocket client = web.connect()) {
            Background<HttpClientSocket> asked = Background.run(() -> client.send(
                    HttpClientSocket.request("GET", "/" + "x".repeat(4000)).repeat(requests)));
            int answered = 0;
            for (int i = 0; i < requests; i++) {
                answered += client.receive().status() == 404 ? 1 : 0;
            }
            asked.result();
            return answered;
        }
    }

    @Test
    void adaptsThePoolOfEachPort() throws Exception {
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.REACTOR_PER_THREAD, "--adapt", "0.05",
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
            assertEquals("2", control.status("port " + ports.get(0) + " threads"), "no request has come there");
            for (HttpClientSocket each : clients) {
                each.hangUp();
            }
            web.process().errors().awaitLine("decision", line -> line.endsWith(
                    " port " + ports.get(1) + " pool adapts to 2 busy: 4 threads"));
            web.process().stop();
        }
    }

    @Test
    void keepsMoreFilesOpenAndTriesOtherWays(@TempDir Path directory) throws Exception {
        Path table = directory.resolve("adaptation.csv");
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.LEADER_FOLLOWERS, "--adapt", "0.05", "--pin",
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

    /**
     * Each look is a row of the table, with the way that was tried since the last one, and the result: the way alone if
     * it was not measured, as where the load ends or pauses.
     */
    private static void assertRecorded(List<String> lines) {
        List<String> names = List.of(lines.get(0).split(","));
        List<String[]> rows = lines.stream().skip(1).map(line -> line.split(",", -1)).toList();
        assertTrue(rows.stream().allMatch(row -> row.length == names.size()), lines::toString);
        int tried = names.indexOf("tried");
        List<String[]> mapped = rows.stream().filter(row -> row[tried].equals("small by mmap")).toList();
        assertTrue(!mapped.isEmpty(), lines::toString);
        assertTrue(mapped.stream().allMatch(row -> row[names.indexOf("small files")].equals("mmap")), lines::toString);
        assertTrue(rows.stream().anyMatch(row -> row[names.indexOf("MB/s of ways tried")].startsWith("read")),
                lines::toString);
        assertEquals("6", rows.get(0)[names.indexOf("capacity")]);
        assertEquals("48", rows.get(rows.size() - 1)[names.indexOf("capacity")]);
    }

    /** On connections that stay open, for one size after the other. */
    @ParameterizedTest
    @MethodSource
    void triesOtherWaysForEachSize(IoStrategy io, @TempDir Path directory) throws Exception {
        Path table = directory.resolve("adaptation.csv");
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("small", contents.get(0));
        files.put("large", RandomBytes.of(50, 500_000));
        files.put("huge", RandomBytes.of(51, 5_000_000));
        for (Map.Entry<String, byte[]> each : files.entrySet()) {
            Files.write(root.resolve(each.getKey()), each.getValue());
        }
        try (WebSample web = WebSample.serve(root, io, "--adapt", "0.05", "--pin", "cache", "--control", "0",
                "--adaptation-csv", table.toString())) {
            ControlClient control = ControlClient.of(web);
            List<HttpClientSocket> clients = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                clients.add(web.connect());
            }
            for (String size : files.keySet()) {
                AtomicBoolean over = new AtomicBoolean();
                List<Background<Integer>> fetching = clients.stream().map(each -> Background.run(
                        () -> fetch(each, size, files.get(size), over))).toList();
                try {
                    // Small ones go together with their head, which is never transmitted.
                    List<String> ways = Stream.of(FileIo.values())
                            .filter(each -> each != FileIo.TRANSMIT || !size.equals("small"))
                            .map(each -> size + " by " + each).toList();
                    Patience.until("there are " + ways, () -> waysTried(table).containsAll(ways));
                    Patience.until("the trial is over", () -> control.status("tried").isEmpty());
                } finally {
                    over.set(true);
                }
                for (Background<Integer> each : fetching) {
                    assertTrue(each.result() > 0, "it has got some");
                }
            }
            for (HttpClientSocket each : clients) {
                each.hangUp();
            }
            web.process().stop();
        }
    }

    static Stream<IoStrategy> triesOtherWaysForEachSize(TestInfo test) {
        return Depth.some(test, Stream.of(IoStrategy.REACTIVE, IoStrategy.PROACTIVE), 1);
    }

    private static Set<String> waysTried(Path table) throws Exception {
        List<String> lines = Files.readAllLines(table);
        int tried = lines.isEmpty() ? 0 : List.of(lines.get(0).split(",")).indexOf("tried");
        return lines.stream().skip(1).map(line -> line.split(",", -1)).filter(row -> row.length > tried)
                .map(row -> row[tried]).collect(Collectors.toSet());
    }

    /** Fetches a file again and again; tells how often. */
    private static int fetch(HttpClientSocket client, String name, byte[] content, AtomicBoolean over)
            throws Exception {
        int count = 0;
        while (!over.get()) {
            assertArrayEquals(content, client.get("/" + name).receive().content());
            count++;
        }
        return count;
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
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.THREAD_POOL, "--adapt", "0.05", "--control", "0",
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
