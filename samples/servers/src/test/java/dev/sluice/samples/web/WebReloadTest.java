package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Patience;
import dev.sluice.samples.ProcessFigures;
import dev.sluice.samples.Programs;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a server answers with is replaced, and no client notices anything but that. */
@EnabledOnOs(OS.LINUX)
class WebReloadTest {

    private static final int FILES = 20;
    private static final int CLIENTS = 4;
    /** Each of the filters with each of the roots. */
    private static final int RELOADS = 6;
    /** A rate that costs no time. */
    private static final int UNNOTICED = 2_000_000_000;
    private static final int LARGE = 8_000_000;
    private static final String POOLS = "dev.sluice.samples.web.WebReloadTest#pools";

    @TempDir
    private Path directory;
    private Path config;
    private Path one;
    private Path other;

    @BeforeEach
    void fill() throws Exception {
        one = Files.createDirectory(directory.resolve("one"));
        other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(one.resolve("name"), "one");
        Files.writeString(other.resolve("name"), "other");
        config = directory.resolve("web.conf");
    }

    /** {@return strategies whose threads are a matter of the configuration} Those of Haboob are one of controllers. */
    static Stream<ConcurrencyStrategy> pools() {
        return Stream.of(ConcurrencyStrategy.values())
                .filter(each -> each.unavailable() == null && each.fixedThreads() == null);
    }

    static Stream<ConcurrencyStrategy> onePool(TestInfo test) {
        return Depth.some(test, pools(), 1);
    }

    private void configure(String... lines) throws Exception {
        Files.write(config, List.of(lines));
    }

    private WebSample start(ConcurrencyStrategy concurrency, String... options) throws Exception {
        return start(WebDriver.of(concurrency), options);
    }

    private WebSample start(WebDriver driver, String... options) throws Exception {
        return WebSample.start(driver, Stream.concat(Stream.of("--config", config.toString(), "--control", "0"),
                Stream.of(options)).toArray(String[]::new));
    }

    private static String name(HttpClientSocket client) throws Exception {
        HttpClientSocket.Received reply = client.get("/name").receive();
        assertEquals(200, reply.status());
        return new String(reply.content(), US_ASCII);
    }

    private void configure(Path root, int number, WebDriver driver) throws Exception {
        List<String> lines = new ArrayList<>();
        if (driver.hasPool()) {
            lines.add("threads = " + (CLIENTS + 1 + number % 3));
        }
        if (!driver.isStaged()) {
            lines.add("file-io = " + List.of("transmit", "mmap", "read").get(number % 3));
        }
        lines.add("root = " + root);
        lines.add("cache-files = " + (1 + number));
        lines.add("access-log = " + directory.resolve("log" + number % 2));
        lines.add("filters = " + List.of("codings,conditions,ranges,logging", "logging", "throttling,ranges,logging")
                .get(number % 3));
        lines.add("rate = " + (number % 3 == 2 ? UNNOTICED : 0));
        lines.add("status = /status");
        Files.write(config, lines);
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void aRequestThatTakesItsTimeKeepsNoOtherFileOpen(WebDriver driver) throws Exception {
        for (int i = 0; i < FILES; i++) {
            Files.writeString(one.resolve("file" + i), "content");
        }
        configure("root = " + one);
        try (WebSample web = start(driver); HttpClientSocket client = web.connect();
                HttpClientSocket slow = web.connect()) {
            ControlClient control = ControlClient.of(web);
            for (int i = 0; i < FILES; i++) {
                assertEquals(200, client.get("/file" + i).receive().status());
            }
            assertTrue(openBelow(one) >= FILES);
            slow.send("GET /name HTTP/1.1\r\n");
            Patience.until("its service stays", () -> {
                control.reload();
                return Integer.parseInt(control.status("services")) > 1;
            });
            Patience.until("all files are closed", () -> openBelow(one) == 0);
            assertEquals(200, slow.send("Host: test\r\n\r\n").receive().status());
            client.hangUp();
            slow.hangUp();
            web.process().stop();
        }
    }

    /** {@return how many files below a directory this process has open, as the server is part of it} */
    private static long openBelow(Path root) throws IOException {
        Path real = root.toRealPath();
        long count = 0;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path each : descriptors) {
                try {
                    count += Files.readSymbolicLink(each).startsWith(real) ? 1 : 0;
                } catch (NoSuchFileException e) {
                    // Closed meanwhile.
                    continue;
                }
            }
        }
        return count;
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void failsNoRequestUnderLoad(WebDriver driver) throws Exception {
        byte[] large = RandomBytes.of(7, 100_000);
        Files.write(one.resolve("large"), large);
        Files.write(other.resolve("large"), large);
        configure(one, 0, driver);
        AtomicBoolean over = new AtomicBoolean();
        try (WebSample web = start(driver)) {
            ControlClient control = ControlClient.of(web);
            web.address();
            List<Background<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Background.run(() -> fetch(web, large, over)));
            }
            try {
                for (int i = 1; i <= RELOADS; i++) {
                    configure(i % 2 == 0 ? one : other, i, driver);
                    control.reload();
                }
            } finally {
                over.set(true);
            }
            int replies = 0;
            for (Background<Integer> each : clients) {
                replies += each.result();
            }
            assertEquals(Integer.toString(RELOADS + 1), control.status("configuration"));
            Patience.until("all that was replaced is closed", () -> control.status("services").equals("1"));
            web.process().stop();
            long logged = 0;
            for (String log : new String[] {"log0", "log1"}) {
                List<String> lines = Files.readAllLines(directory.resolve(log));
                assertTrue(lines.stream().allMatch(line -> line.contains(" HTTP/1.1\" 200 ")), log);
                logged += lines.size();
            }
            assertEquals(replies, logged);
        }
    }

    /** Fetches on one connection, at least once after it is over; tells how many replies there were. */
    private static int fetch(WebSample web, byte[] large, AtomicBoolean over) throws Exception {
        try (HttpClientSocket client = web.connect()) {
            int replies = 0;
            boolean last;
            do {
                last = over.get();
                String name = name(client);
                assertTrue(name.equals("one") || name.equals("other"), name);
                assertArrayEquals(large, client.get("/large").receive().content());
                replies += 2;
            } while (!last);
            return replies;
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    @Tag(Depth.IN_MATRIX)
    void failsNoRequestOfWrk(WebDriver driver) throws Exception {
        Assumptions.assumeTrue(Programs.has("wrk"), "no wrk here");
        configure(one, 0, driver);
        try (WebSample web = start(driver)) {
            ControlClient control = ControlClient.of(web);
            String url = web.url("/name");
            Background<ExternalProgram> wrk = Background.run(
                    () -> ExternalProgram.run(List.of("wrk", "-t", "1", "-c", "16", "-d", "1s", "--timeout", "30s",
                            url)));
            int reloads = 0;
            while (!wrk.isDone()) {
                reloads++;
                configure(reloads % 2 == 0 ? one : other, reloads, driver);
                control.reload();
            }
            String report = wrk.result().text();
            assertEquals(0, wrk.result().exitCode(), report);
            assertTrue(Pattern.compile("[1-9]\\d* requests in").matcher(report).find(), report);
            assertTrue(!report.contains("Socket errors") && !report.contains("Non-2xx"), report);
            assertTrue(reloads > 1, report);
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void goesOnWithAReplyThatHasBegun(WebDriver driver) throws Exception {
        byte[] large = RandomBytes.of(8, LARGE);
        Files.write(one.resolve("large"), large);
        configure("root = " + one);
        try (WebSample web = start(driver)) {
            ControlClient control = ControlClient.of(web);
            try (HttpClientSocket slow = new HttpClientSocket(web.address(), 4096);
                    HttpClientSocket quick = web.connect()) {
                assertEquals("one", name(quick));
                slow.get("/large").receiveHead();
                configure("root = " + other, driver.isStaged() ? "" : "file-io = read");
                control.reload();
                assertEquals("other", name(quick), "on a connection that was open before");
                control.reload();
                Patience.until("two remain: the current one, and the one of the slow reply",
                        () -> control.status("services").equals("2"));
                assertArrayEquals(large, slow.hurry().readNBytes(LARGE));
                Patience.until("its service is closed", () -> control.status("services").equals("1"));
                assertEquals("other", name(slow));
            }
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource(POOLS)
    void hasMoreOrFewerThreads(ConcurrencyStrategy concurrency) throws Exception {
        Files.write(one.resolve("large"), new byte[LARGE]);
        configure("root = " + one, "threads = 6");
        try (WebSample web = start(concurrency)) {
            ControlClient control = ControlClient.of(web);
            List<HttpClientSocket> slow = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                slow.add(new HttpClientSocket(web.address(), 4096));
                slow.get(i).get("/large").receiveHead();
            }
            assertEquals("6", control.status("threads"));
            configure("root = " + one, "threads = 1");
            control.reload();
            assertEquals("1", control.status("threads"));
            for (HttpClientSocket each : slow) {
                assertEquals(LARGE, each.hurry().readNBytes(LARGE).length);
                each.hangUp();
            }
            Patience.until("the others have left", () -> poolThreads(web, concurrency) == 1);
            try (HttpClientSocket client = web.connect()) {
                assertEquals("one", name(client));
            }
            configure("root = " + one, "threads = 9");
            control.reload();
            assertEquals("9", control.status("threads"));
            List<HttpClientSocket> many = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                many.add(web.connect());
                assertEquals("one", name(many.get(i)));
            }
            Patience.until("they are there", () -> poolThreads(web, concurrency) == 9);
            for (HttpClientSocket each : many) {
                each.hangUp();
            }
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource("onePool")
    void hasTheThreadsItHadIfTheSystemRefusesMore(ConcurrencyStrategy concurrency) throws Exception {
        configure("root = " + one, "threads = 3");
        // Room in the address space for some stacks more, and not for so many.
        try (WebSample web = WebSample.startIn("ulimit -v 12000000", "-Xss100m", concurrency, "--config",
                config.toString(), "--control", "0")) {
            ControlClient control = ControlClient.of(web);
            web.address();
            configure("root = " + other, "threads = 300");
            List<String> answer = control.ask("reload");
            assertTrue(answer.size() == 1 && answer.get(0).startsWith("error: " + config
                    + ":2: --threads 300: the system refuses: "), answer::toString);
            assertEquals("3", control.status("threads"));
            Patience.until("those that there were are left", () -> poolThreads(web, concurrency) == 3);
            List<HttpClientSocket> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(web.connect());
                assertEquals("one", name(clients.get(i)));
            }
            configure("root = " + other, "threads = 4");
            control.reload();
            clients.add(web.connect());
            for (HttpClientSocket each : clients) {
                assertEquals("other", name(each));
                each.hangUp();
            }
            web.process().stop();
        }
    }

    private static int poolThreads(WebSample web, ConcurrencyStrategy concurrency) throws Exception {
        return web.process().figures().countOfThreads(switch (concurrency) {
            case HALF_SYNC_HALF_ASYNC -> "worker";
            case CONCURRENT_PROACTOR -> "web-";
            default -> "pool";
        });
    }

    @ParameterizedTest
    @MethodSource("poolAndStages")
    void leavesNothingBehind(WebDriver driver) throws Exception {
        configure(driver, 4);
        try (WebSample web = start(driver)) {
            ControlClient control = ControlClient.of(web);
            web.address();
            ProcessFigures figures = web.process().figures();
            long listening = figures.openSockets();
            control.reload();
            try (HttpClientSocket client = web.connect()) {
                assertEquals("one", name(client));
                Patience.until("the first service is closed", () -> control.status("services").equals("1"));
                Patience.until("connections are closed, but both ends of one",
                        () -> figures.openSockets() == listening + 2);
                Patience.until("threads are there", () -> !driver.hasPool() || figures.countOfThreads("pool") == 4);
                long files = filesIn(web);
                long descriptors = figures.openDescriptors();
                for (int i = 0; i < Depth.times(10, 15, 100); i++) {
                    configure(driver, 4 + i % 2);
                    control.reload();
                    assertEquals("one", name(client));
                }
                configure(driver, 4);
                control.reload();
                assertEquals("one", name(client));
                Patience.until("services are closed", () -> filesIn(web) == files);
                Patience.until("descriptors are closed", () -> figures.openDescriptors() == descriptors);
                Patience.until("threads have ended", () -> !driver.hasPool() || figures.countOfThreads("pool") == 4);
            }
            web.process().stop();
        }
    }

    static Stream<WebDriver> poolAndStages(TestInfo test) {
        return Stream.concat(Stream.of(WebDriver.of(ConcurrencyStrategy.LEADER_FOLLOWERS)), WebDriver.oneOf(test));
    }

    private void configure(WebDriver driver, int threads) throws Exception {
        configure("root = " + one, driver.hasPool() ? "threads = " + threads : "",
                "access-log = " + directory.resolve("log"));
    }

    /** {@return how many descriptors lead to what this test has made} */
    private long filesIn(WebSample web) throws Exception {
        long pid = web.process().figures().process().pid();
        try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return all.filter(each -> {
                try {
                    return Files.readSymbolicLink(each).startsWith(directory);
                } catch (IOException e) {
                    return false;
                }
            }).count();
        }
    }
}
