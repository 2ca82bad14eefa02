package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server changes its concurrency strategy by itself, as its load asks, and no client notices. */
@EnabledOnOs(OS.LINUX)
class WebAdaptiveStrategyTest {

    private static final int LARGE = 5_000_000;
    private static final int SMALL_BUFFER = 8192;
    private static final int CLIENTS = 3;

    @TempDir
    private Path root;
    @TempDir
    private Path directory;
    private byte[] large;

    @BeforeEach
    void fill() throws IOException {
        Files.writeString(root.resolve("name"), "content");
        large = RandomBytes.of(1, LARGE);
        Files.write(root.resolve("large"), large);
    }

    private Path table() {
        return directory.resolve("adaptation.csv");
    }

    /** {@return the values of a column of the table so far, from its first row to its last one} */
    private List<String> column(String name) throws IOException {
        List<String> lines = Files.exists(table()) ? Files.readAllLines(table()) : List.of();
        int place = lines.isEmpty() ? 0 : List.of(lines.get(0).split(",")).indexOf(name);
        return lines.stream().skip(1).map(line -> line.split(",", -1)).filter(row -> row.length > place)
                .map(row -> row[place]).toList();
    }

    private static String last(List<String> values) {
        return values.get(values.size() - 1);
    }

    private WebSample start(ConcurrencyStrategy first, String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--changeable", "--adapt", "0.05", "--adaptation-csv", table().toString(), "--control",
                "0"));
        return WebSample.serve(root, first, all.toArray(String[]::new));
    }

    private static void assertServed(HttpClientSocket client) throws Exception {
        HttpClientSocket.Received reply = client.get("/name").receive();
        assertEquals("200 content", reply.status() + " " + new String(reply.content(), US_ASCII));
    }

    /** Each client holds a thread; with one more client than threads, the strategy changes, and all are served. */
    @Test
    void clientsThatHoldAllThreadsLeadToAnotherStrategy() throws Exception {
        try (WebSample web = start(ConcurrencyStrategy.THREAD_POOL, "--threads", "2", "--strategies",
                "thread-pool,leader-followers", "--pin", "files,cache");
                HttpClientSocket first = web.connect();
                HttpClientSocket download = new HttpClientSocket(web.address(), SMALL_BUFFER)) {
            ControlClient control = ControlClient.of(web);
            assertServed(first);
            download.get("/large").get("/name");
            Patience.until("the download has begun", () -> download.hurry().available() > 0);
            assertEquals("thread-pool", control.status("concurrency"));
            try (HttpClientSocket third = web.connect()) {
                assertServed(third);
                third.hangUp();
            }
            assertEquals("leader-followers", control.status("concurrency"));
            assertArrayEquals(large, download.receive().content());
            assertEquals("content", new String(download.receive().content(), US_ASCII));
            assertServed(first);
            Patience.until("the earlier strategy ends", () -> control.ask("status").stream()
                    .noneMatch(line -> line.startsWith("retired ")));
            assertServed(download);
            assertServed(first);
            web.process().errors().awaitLine("decision", line -> line.endsWith(
                    "3 connections for 2 threads: changes to leader-followers"));
            assertTrue(column("reason").contains("3 connections for 2 threads: changes to leader-followers"));
            first.hangUp();
            download.hangUp();
            web.process().stop();
        }
    }

    /** Under load, other strategies are tried by turns with the one that is kept. */
    @Test
    void triesAllStrategiesWhileClientsAreServed() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<Background<Integer>> load = new ArrayList<>();
        Set<String> all = AdaptiveStrategy.USUAL.stream().limit(Depth.times(2, 3, 4))
                .map(ConcurrencyStrategy::toString).collect(Collectors.toSet());
        try (WebSample web = start(ConcurrencyStrategy.PROACTOR_PER_THREAD, "--pin", "files,cache,threads",
                "--strategies", String.join(",", all))) {
            ControlClient control = ControlClient.of(web);
            web.address();
            for (int i = 0; i < CLIENTS; i++) {
                boolean renews = i % 2 == 1;
                load.add(Background.run(() -> requests(web, renews, over)));
            }
            try {
                Patience.until("each has been tried", () -> column("concurrency").containsAll(all));
                if (Depth.times(0, 1, 1) > 0) {
                    Patience.until("a trial has a result", () -> column("reason").stream()
                            .anyMatch(each -> each.contains(" times the throughput")));
                }
            } finally {
                over.set(true);
            }
            for (Background<Integer> each : load) {
                assertTrue(each.result() > 0);
            }
            Patience.until("there is no more to measure", () -> last(column("concurrency tried")).isEmpty());
            Patience.until("the earlier strategies end", () -> control.ask("status").stream()
                    .noneMatch(line -> line.startsWith("retired ")));
            web.process().stop();
            assertEquals(0, web.process().errors().text().lines().filter(line -> line.contains("WARN")).count());
        }
        assertRecorded();
    }

    /** Each row has the strategy that served until then, which is the kept one or the one that is tried. */
    private void assertRecorded() throws IOException {
        List<String> active = column("concurrency");
        List<String> tried = column("concurrency tried");
        assertEquals(active.size(), tried.size());
        assertTrue(column("connections").stream().mapToInt(Integer::parseInt).max().orElseThrow() > 0);
        for (String each : Set.copyOf(tried)) {
            if (!each.isEmpty()) {
                assertTrue(column("reason").contains("tries " + each), () -> "tried: " + each);
            }
        }
    }

    private int requests(WebSample web, boolean renews, AtomicBoolean over) throws Exception {
        int count = 0;
        HttpClientSocket client = web.connect();
        try {
            while (!over.get()) {
                assertServed(client);
                count++;
                if (count % 50 == 0) {
                    assertArrayEquals(large, client.get("/large").receive().content());
                }
                if (renews && count % 3 == 0) {
                    client.hangUp();
                    client.close();
                    client = web.connect();
                }
            }
            client.hangUp();
        } finally {
            client.close();
        }
        return count;
    }

    @Test
    void aPinnedStrategyStays() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (WebSample web = start(ConcurrencyStrategy.LEADER_FOLLOWERS, "--pin", "files,cache,threads,concurrency")) {
            web.address();
            Background<Integer> load = Background.run(() -> requests(web, false, over));
            try {
                Patience.until("there are some samples", () -> column("time").size() > 10);
            } finally {
                over.set(true);
            }
            assertTrue(load.result() > 0);
            assertEquals("leader-followers", ControlClient.of(web).status("concurrency"));
            assertEquals("leader-followers", last(column("concurrency")));
            web.process().stop();
        }
    }
}
