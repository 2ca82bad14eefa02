package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.JavaHome;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleHost;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The configuration in use, and the messages about one that cannot be used. */
@EnabledOnOs(OS.LINUX)
class WebConfigurationTest {

    private static final int FAILED = 1;

    @TempDir
    private Path directory;
    private Path config;
    private Path root;

    @BeforeEach
    void fill() throws Exception {
        root = Files.createDirectory(directory.resolve("root"));
        Files.writeString(root.resolve("name"), "first");
        config = directory.resolve("web.conf");
        configure("root = " + root);
    }

    private void configure(String... lines) throws Exception {
        Files.write(config, List.of(lines));
    }

    private WebSample start(String... options) throws Exception {
        return start(WebDriver.of(ConcurrencyStrategy.REACTOR_PER_THREAD), options);
    }

    private WebSample start(WebDriver driver, String... options) throws Exception {
        return WebSample.start(driver,
                Stream.concat(Stream.of("--config", config.toString()), Stream.of(options)).toArray(String[]::new));
    }

    private static String name(HttpClientSocket client) throws Exception {
        return new String(client.get("/name").receive().content(), US_ASCII);
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    @Tag(Depth.IN_QUICK)
    void isReadAnewAtSighup(WebDriver driver) throws Exception {
        Path second = Files.createDirectory(directory.resolve("second"));
        Files.writeString(second.resolve("name"), "second");
        try (WebSample web = start(driver); HttpClientSocket client = web.connect()) {
            assertEquals("first", name(client));
            configure("root = " + second);
            web.process().hangUp();
            web.process().errors().awaitLine("result", line -> line.endsWith("configuration 2 is active"));
            assertEquals("second", name(client));
            configure("root = " + second, "nonsense");
            web.process().hangUp();
            web.process().errors().awaitLine("problem",
                    line -> line.endsWith(config + ":2: must be 'name = value', not 'nonsense'"));
            assertEquals("second", name(client));
            client.hangUp();
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void usersHaveTheirPagesOnceThatIsAskedFor(WebDriver driver) throws Exception {
        Path home = directory.resolve("home");
        Files.createDirectories(home.resolve("public_html"));
        Files.writeString(home.resolve("public_html/name"), "of ada");
        Path passwd = Files.writeString(directory.resolve("passwd"), "ada:x:1000:100::" + home + ":/bin/sh\n");
        try (WebSample web = start(driver, "--control", "0"); HttpClientSocket client = web.connect()) {
            assertEquals(404, client.get("/~ada/name").receive().status());
            configure("root = " + root, "tilde = " + passwd);
            ControlClient.of(web).reload();
            assertEquals("of ada", new String(client.get("/~ada/name").receive().content(), US_ASCII));
            assertEquals("of ada", new String(client.get("/%7Eada/name").receive().content(), US_ASCII));
            assertEquals(404, client.get("/~bob/name").receive().status());
            assertEquals("first", name(client));
            client.hangUp();
            web.process().stop();
        }
    }

    /** Among this is what Haboob has none of: threads and strategies to choose. */
    @Test
    @Tag(Depth.IN_QUICK)
    void reportsTheLineOfAnErrorAndChangesNothing() throws Exception {
        Path plain = Files.writeString(directory.resolve("plain"), "no directory\n");
        Path pipe = directory.resolve("pipe");
        ExternalProgram.run(List.of("mkfifo", pipe.toString()));
        Path binary = Files.write(directory.resolve("binary"), new byte[] {'/', (byte) 0xFF, '\n'});
        String file = config.toString();
        try (WebSample web = start("--control", "0", "--status", "/status"); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            String[][] wrong = {
                {"root = " + root + "/none", file + ":2: --root " + root + "/none: there is no such directory"},
                {"tilde = " + root + "/none", file + ":2: --tilde " + root + "/none: no such file or directory"},
                {"root = " + plain, file + ":2: --root " + plain + ": there is no such directory"},
                {"put = /none", file + ":2: --put /none: there is no such directory below the root"},
                {"mime-types = " + directory + "/none", file + ":2: --mime-types " + directory
                        + "/none: no such file or directory"},
                {"mime-types = " + pipe, file + ":2: --mime-types " + pipe + ": is not a regular file"},
                {"mime-types = /dev/zero", file + ":2: --mime-types /dev/zero: is not a regular file"},
                {"cache-hints = /x", file + ":2: --cache hinted and --cache-hints require each other"},
                {"cache = hinted", file + ":2: --cache hinted and --cache-hints require each other"},
                {"cache = mru", file + ":2: Invalid value for option '--cache': expected one of lru, lfu, hinted, "
                        + "structured, none, but was 'mru'"},
                {"idle-timeout = 0", file + ":2: --idle-timeout must be 0.05 to 86400, not 0"},
                {"max-head = 1", file + ":2: --max-head must be 64 to 1073741824, not 1"},
                {"threads = 2", file + ":2: --threads cannot change with --concurrency reactor-per-thread: each thread "
                        + "has an event loop with connections of its own"},
                {"also-threads = 2", file + ":2: --also-threads requires an --also with a pool of threads"},
                {"also-threads = 0", file + ":2: --also-threads must be 1 to 1024, not 0"},
                {"rate = 2000\nfilters = ranges", file + ":2: --rate needs the filter throttling, which --filters "
                        + "leaves out"},
                {"index = ,a.html", file + ":2: --index must be names of files, unlike ''"},
                {"index = a.html,/b.html", file + ":2: --index must be names of files, unlike '/b.html'"},
                {"index = ..", file + ":2: --index must be names of files, unlike '..'"},
                {"status = /s", file + ":2: --status is on the command line already"},
                {"port = 80", file + ":2: --port cannot change while the server runs: set it on the command line"},
                {"concurrency = thread-pool", file + ":2: --concurrency cannot change while the server runs: set "
                        + "it on the command line"},
            };
            for (String[] each : wrong) {
                configure("max-content = 5", each[0]);
                assertEquals(List.of("error: " + each[1]), control.ask("reload"));
            }
            configure("access-log = " + directory);
            List<String> answer = control.ask("reload");
            assertEquals(1, answer.size());
            assertTrue(answer.get(0).startsWith("error: " + file + ":1: --access-log "), answer::toString);
            configure("cache = hinted", "cache-hints = " + binary);
            assertEquals(List.of("error: " + file + ":2: --cache-hints " + binary + " is not in UTF-8"),
                    control.ask("reload"));
            configure("cache = hinted", "cache-hints = " + pipe);
            assertEquals(List.of("error: " + file + ":2: --cache-hints " + pipe + ": is not a regular file"),
                    control.ask("reload"));
            Files.delete(config);
            assertEquals(List.of("error: " + file + ": no such file or directory"), control.ask("reload"));
            assertEquals("1", control.status("configuration"));
            assertEquals("1", control.status("services"));
            assertEquals("first", name(client));
            assertTrue(web.curl("/status").text().contains("<th>configuration</th><td>1</td>"));
            client.hangUp();
            web.process().stop();
        }
    }

    @Test
    void saysWhatIsWrongWhereTheSiteThatComesAlongCannotBeLaidOut() throws Exception {
        Path missing = directory.resolve("missing");
        try (RunningSample process = SampleCommand.of("web", "--port", "0")
                .withOption("-Djava.io.tmpdir=" + missing).start()) {
            assertEquals(FAILED, process.awaitExit());
            String errors = process.errors().text();
            assertTrue(errors.contains("sluice web: cannot copy the bundled site, which is served without --root: "
                    + missing), errors);
            assertTrue(errors.contains("no such file or directory"), errors);
        }
    }

    /** One of two problems is about threads, which Haboob has no option for. */
    @Test
    void doesNotStartWithAWrongFile() throws Exception {
        configure("root = " + root, "cache-files = 0", "threads = 4");
        try (RunningSample process = SampleCommand.of("web", "--port", "0", "--config", config.toString()).start()) {
            assertEquals(FAILED, process.awaitExit());
            assertEquals("sluice web: " + config + ":2: --cache-files must be 1 to 1048576, not 0; " + config
                    + ":3: --threads cannot change with --concurrency reactor-per-thread: each thread has an event "
                    + "loop with connections of its own", process.errors().text().strip());
            assertEquals("", process.output().text());
        }
    }

    /** The server has its JVM, and so a directory for temporary files, to itself. */
    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    void leavesNothingOfWhatIsNotPutIntoForceNorOfCodings(WebDriver driver) throws Exception {
        configure("access-log = " + directory);
        Path temporary = Files.createDirectory(directory.resolve("temporary"));
        String text = "0123456789 abcdefghij\n".repeat(2_000);
        Files.writeString(root.resolve("page.txt"), text);
        String[] command = driver.command("--config", config.toString());
        try (SampleHost host = SampleHost.start(JavaHome.own(), "-Djava.io.tmpdir=" + temporary)) {
            try (RunningSample refused = host.run(command)) {
                assertEquals(FAILED, refused.awaitExit());
            }
            assertEquals(0, sites(temporary), "copies of the bundled site");
            configure("max-head = 500");
            try (RunningSample sample = host.run(command)) {
                sample.awaitReadyLine();
                configure("access-log = " + directory);
                sample.hangUp();
                sample.errors().awaitLine("problem", line -> line.contains(config + ":1: --access-log "));
                assertEquals(1, sites(temporary));
                configure("max-head = 600");
                sample.hangUp();
                sample.errors().awaitLine("result", line -> line.endsWith("configuration 2 is active"));
                Patience.until("the site of the first one is deleted", () -> sites(temporary) == 1);
                sample.stop();
            }
            assertEquals(0, sites(temporary));
            configure("root = " + root);
            try (WebSample web = WebSample.of(host.run(command))) {
                assertEquals(text, web.curl("/page.txt", "--compressed").text());
                try (Stream<Path> all = Files.list(temporary)) {
                    assertFalse(all.anyMatch(file -> file.toString().endsWith(".gz")));
                }
                web.stop();
            }
        }
    }

    private static long sites(Path directory) throws Exception {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(each -> each.getFileName().toString().startsWith("sluice-site")).count();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void takesTheLimitsAndTimeoutsThatAreInForce(WebDriver driver) throws Exception {
        try (WebSample web = start(driver, "--control", "0"); HttpClientSocket client = web.connect();
                HttpClientSocket late = web.connect()) {
            ControlClient control = ControlClient.of(web);
            String long1000 = "x".repeat(1000);
            assertEquals(404, client.get("/" + long1000).receive().status());
            // It has begun under the old limits, and so it goes on.
            late.send("GET /name HTTP/1.1\r\nHost: test\r\n");
            Patience.until("it has begun", () -> {
                control.reload();
                return control.status("services").equals("2");
            });
            configure("root = " + root, "max-head = 512", "request-timeout = 0.3", "idle-timeout = 0.6");
            control.reload();
            assertEquals(414, client.get("/" + long1000).receive().status());
            assertEquals(200, late.send("X: " + long1000 + "\r\n\r\n").receive().status());
            late.send("GET /na");
            assertEquals(408, late.receive().status());
            try (HttpClientSocket idle = web.connect()) {
                idle.expectEnd();
            }
            client.hangUp();
            late.hangUp();
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void writesToAnotherLogAfterTheOneHasBeenMoved(WebDriver driver) throws Exception {
        Path log = directory.resolve("log");
        configure("root = " + root, "access-log = " + log);
        try (WebSample web = start(driver, "--control", "0"); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            name(client);
            Path moved = Files.move(log, directory.resolve("moved"));
            control.reload();
            client.get("/second").receive();
            Patience.until("the line is written", () -> Files.size(log) > 0);
            assertTrue(Files.readString(log).contains("GET /second ") && !Files.readString(log).contains("/name"));
            Patience.until("the other was before", () -> Files.readString(moved).contains("GET /name "));
            configure("root = " + root);
            control.reload();
            client.get("/third").receive();
            control.reload();
            assertTrue(!Files.readString(log).contains("/third"), "requests are no longer logged");
            client.hangUp();
            web.process().stop();
        }
    }
}
