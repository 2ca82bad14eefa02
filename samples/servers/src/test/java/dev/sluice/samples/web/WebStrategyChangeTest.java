package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Patience;
import dev.sluice.samples.Programs;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The concurrency strategy changes while connections are open, and no connection notices. */
@EnabledOnOs(OS.LINUX)
class WebStrategyChangeTest {

    private static final int LARGE = 5_000_000;
    private static final int SMALL_BUFFER = 8192;
    private static final int CHANGES = 8;

    @TempDir
    private Path root;
    private byte[] large;

    @BeforeEach
    void fill() throws IOException {
        Files.writeString(root.resolve("name"), "content");
        large = RandomBytes.of(1, LARGE);
        Files.write(root.resolve("large"), large);
    }

    /** {@return those that there are here} */
    static Stream<ConcurrencyStrategy> strategies() {
        return Stream.of(ConcurrencyStrategy.values()).filter(each -> each.unavailable() == null);
    }

    /** {@return one that waits in each place, or all} */
    static Stream<ConcurrencyStrategy> some(TestInfo test) {
        return Depth.some(test, strategies(), 3);
    }

    private WebSample start(ConcurrencyStrategy strategy) throws IOException {
        return WebSample.serve(root, strategy, "--changeable", "--control", "0");
    }

    private static void assertServed(HttpClientSocket client) throws Exception {
        HttpClientSocket.Received reply = client.get("/name").receive();
        assertEquals("200 content", reply.status() + " " + new String(reply.content(), US_ASCII));
    }

    private static void change(ControlClient control, ConcurrencyStrategy next) throws IOException {
        assertEquals(List.of("ok: concurrency " + next), control.ask("concurrency " + next));
    }

    private static List<String> retired(ControlClient control) throws IOException {
        return control.ask("status").stream().filter(line -> line.startsWith("retired ")).toList();
    }

    private static void awaitNoneRetired(ControlClient control) throws Exception {
        Patience.until("the earlier strategies end", () -> retired(control).isEmpty());
    }

    /** A connection is served by each strategy in turn: the earlier ones end although it stays open. */
    @Test
    void aConnectionMovesFromEachStrategyToTheNext() throws Exception {
        List<ConcurrencyStrategy> all = new ArrayList<>(strategies().toList());
        all.add(all.get(0));
        try (WebSample web = start(all.get(0)); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertServed(client);
            for (ConcurrencyStrategy each : all) {
                change(control, each);
                try (HttpClientSocket other = web.connect()) {
                    assertServed(other);
                    other.hangUp();
                }
                // With this request or before it, the connection comes to its boundary.
                assertServed(client);
                awaitNoneRetired(control);
                assertServed(client);
                assertEquals(each.toString(), control.status("concurrency"));
            }
            client.hangUp();
            web.process().stop();
        }
    }

    /** What waits for readiness or completion is moved at once, without a request. */
    @ParameterizedTest
    @MethodSource("some")
    void anIdleConnectionMovesWhereNoThreadWaitsForIt(ConcurrencyStrategy strategy) throws Exception {
        boolean held = strategy.waits() == ConcurrencyStrategy.Waits.IN_KERNEL;
        try (WebSample web = start(strategy); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertServed(client);
            change(control, ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC);
            if (held) {
                assertEquals(List.of("retired " + strategy + " 1"), retired(control));
                assertServed(client);
            }
            awaitNoneRetired(control);
            assertServed(client);
            client.hangUp();
            web.process().stop();
        }
    }

    /** A reply is sent to its end where it has begun, and so is the request behind it. */
    @ParameterizedTest
    @MethodSource("some")
    void aDownloadGoesOn(ConcurrencyStrategy strategy) throws Exception {
        try (WebSample web = start(strategy);
                HttpClientSocket client = new HttpClientSocket(web.address(), SMALL_BUFFER)) {
            ControlClient control = ControlClient.of(web);
            assertServed(client);
            client.get("/large").get("/name");
            Patience.until("the download has begun", () -> client.hurry().available() > 0);
            change(control, ConcurrencyStrategy.REACTOR_PER_THREAD);
            change(control, ConcurrencyStrategy.THREAD_PER_REQUEST);
            assertTrue(retired(control).contains("retired " + strategy + " 1"), () -> "" + strategy);
            assertArrayEquals(large, client.receive().content());
            assertEquals("content", new String(client.receive().content(), US_ASCII));
            assertServed(client);
            awaitNoneRetired(control);
            assertServed(client);
            client.hangUp();
            web.process().stop();
        }
    }

    /** A connection that waits for a thread is moved at once: clients that send nothing hold all of them. */
    @Test
    void aConnectionThatWaitsForAThreadMoves() throws Exception {
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.THREAD_POOL, "--threads", "2", "--changeable",
                "--control", "0", "--idle-timeout", "3600");
                HttpClientSocket first = web.connect(); HttpClientSocket second = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertServed(first);
            assertServed(second);
            try (HttpClientSocket third = web.connect()) {
                third.get("/name");
                assertEquals("thread-pool", control.status("concurrency"));
                change(control, ConcurrencyStrategy.LEADER_FOLLOWERS);
                assertEquals("content", new String(third.receive().content(), US_ASCII));
                third.hangUp();
            }
            Patience.until("it has left", () -> retired(control).equals(List.of("retired thread-pool 2")));
            assertServed(first);
            assertServed(second);
            awaitNoneRetired(control);
            first.hangUp();
            second.hangUp();
            web.process().stop();
        }
    }

    /** A client that sends nothing holds the thread that serves it, and none of the others. */
    @Test
    void idleThreadsOfARetiredPoolEnd() throws Exception {
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.THREAD_POOL, "--threads", "8", "--changeable",
                "--control", "0", "--idle-timeout", "3600"); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertServed(client);
            assertTrue(poolThreads() >= 8);
            change(control, ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC);
            Patience.until("the others end", () -> poolThreads() == 1);
            assertEquals(List.of("retired thread-pool 1"), retired(control));
            assertServed(client);
            awaitNoneRetired(control);
            assertServed(client);
            client.hangUp();
            web.process().stop();
        }
    }

    private static long poolThreads() {
        return Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().equals("pool")).count();
    }

    @Test
    void noRequestFailsUnderLoad() throws Exception {
        int rounds = Depth.times(1, 2, 30);
        List<ConcurrencyStrategy> all = strategies().toList();
        AtomicBoolean over = new AtomicBoolean();
        List<Background<Integer>> load = new ArrayList<>();
        try (WebSample web = start(all.get(0))) {
            ControlClient control = ControlClient.of(web);
            for (int i = 0; i < 4; i++) {
                boolean renews = i % 2 == 1;
                load.add(Background.run(() -> requests(web, renews, over)));
            }
            try {
                for (int i = 0; i < rounds * all.size(); i++) {
                    change(control, all.get((i + 1) % all.size()));
                }
            } finally {
                over.set(true);
            }
            for (Background<Integer> each : load) {
                assertTrue(each.result() > 0);
            }
            awaitNoneRetired(control);
            web.process().stop();
            assertEquals(0, web.process().errors().text().lines().filter(line -> line.contains("WARN")).count());
        }
    }

    /** Each change waits until all connections have moved to the strategy of the change before it. */
    @Test
    void changesFailNoRequestOfWrk() throws Exception {
        Assumptions.assumeTrue(Programs.has("wrk"), "no wrk here");
        List<ConcurrencyStrategy> all = strategies().toList();
        // Of 5 ms: without any, wrk and the server would occupy both processors for the whole second.
        Path pauses = Files.writeString(root.resolve("pauses.lua"), "function delay() return 5 end\n");
        try (WebSample web = start(all.get(0))) {
            ControlClient control = ControlClient.of(web);
            String url = web.url("/name");
            Background<ExternalProgram> wrk = Background.run(
                    () -> ExternalProgram.run(List.of("wrk", "-t", "1", "-c", "16", "-d", "1s", "--timeout", "30s",
                            "-s", pauses.toString(), url)));
            Patience.until("wrk gets replies", () -> wrk.isDone() || !control.status("replies").equals("0"));
            for (ConcurrencyStrategy each : all.subList(1, all.size())) {
                change(control, each);
                Patience.until("all connections have moved",
                        () -> retired(control).stream().allMatch(line -> line.endsWith(" 0")));
            }
            String report = wrk.result().text();
            assertEquals(0, wrk.result().exitCode(), report);
            assertTrue(Pattern.compile("[1-9]\\d* requests in").matcher(report).find(), report);
            assertTrue(!report.contains("Socket errors") && !report.contains("Non-2xx"), report);
            assertEquals(all.get(all.size() - 1).toString(), control.status("concurrency"));
            awaitNoneRetired(control);
            web.process().stop();
        }
    }

    /** A connection that a strategy accepts while it is replaced is served, too. */
    @Test
    void clientsThatConnectDuringAChangeAreServed() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<Background<Integer>> load = new ArrayList<>();
        ConcurrencyStrategy other = ConcurrencyStrategy.REACTOR_PER_THREAD;
        try (WebSample web = start(other)) {
            ControlClient control = ControlClient.of(web);
            for (int i = 0; i < 4; i++) {
                load.add(Background.run(() -> connections(web, over)));
            }
            try {
                for (ConcurrencyStrategy each : strategies().toList()) {
                    for (int i = 0; i < CHANGES; i++) {
                        change(control, each);
                        change(control, other);
                    }
                }
            } finally {
                over.set(true);
            }
            for (Background<Integer> each : load) {
                assertTrue(each.result() > 0);
            }
            awaitNoneRetired(control);
            web.process().stop();
        }
    }

    /** Makes a request on each of many connections, one after the other, and returns their number. */
    private static int connections(WebSample web, AtomicBoolean over) throws Exception {
        int count = 0;
        while (!over.get()) {
            try (HttpClientSocket client = web.connect()) {
                assertServed(client);
                client.hangUp();
            }
            count++;
        }
        return count;
    }

    private int requests(WebSample web, boolean renews, AtomicBoolean over) throws Exception {
        int count = 0;
        HttpClientSocket client = web.connect();
        try {
            while (!over.get()) {
                assertServed(client);
                count++;
                if (count % 20 == 0) {
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

    /** One connection after the other: whatever is known of those that are closed, there is one at a time, or two. */
    @ParameterizedTest
    @MethodSource("some")
    void closedConnectionsDoNotCountForTheLimit(ConcurrencyStrategy strategy) throws Exception {
        try (WebSample web = WebSample.serve(root, strategy, "--changeable", "--control", "0", "--connections",
                "8")) {
            for (int i = 0; i < 40; i++) {
                try (HttpClientSocket client = web.connect()) {
                    assertServed(client);
                    client.hangUp();
                }
            }
            change(ControlClient.of(web), ConcurrencyStrategy.LEADER_FOLLOWERS);
            try (HttpClientSocket client = web.connect()) {
                assertServed(client);
                client.hangUp();
            }
            web.process().stop();
        }
    }

    @Test
    void whatIsWrongChangesNothing() throws Exception {
        try (WebSample web = start(ConcurrencyStrategy.REACTOR_PER_THREAD); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertTrue(control.ask("concurrency strange").toString()
                    .startsWith("[error: concurrency: there is no strategy 'strange', but reactor-per-thread, "));
            assertEquals(List.of("error: concurrency: threads must be a number from 1 to 1024"),
                    control.ask("concurrency thread-pool 1000000"));
            assertEquals(List.of("error: concurrency: with thread-per-connection the clients decide how many threads "
                    + "there are"), control.ask("concurrency thread-per-connection 8"));
            assertServed(client);
            assertEquals("reactor-per-thread", control.status("concurrency"));
            client.hangUp();
            web.process().stop();
        }
        try (WebSample web = WebSample.serve(root, ConcurrencyStrategy.REACTOR_PER_THREAD, "--control", "0")) {
            assertEquals(List.of("error: the concurrency strategy stays: start with --changeable"),
                    ControlClient.of(web).ask("concurrency thread-pool"));
            web.process().stop();
        }
    }
}
