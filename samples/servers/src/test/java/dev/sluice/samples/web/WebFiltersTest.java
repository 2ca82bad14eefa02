package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Files as they pass through the stacked filters, and as curl receives them. */
@EnabledOnOs(OS.LINUX)
class WebFiltersTest {

    /** Of which a tenth may go at once. */
    private static final int RATE = 20_000;

    @TempDir
    private Path root;

    @BeforeEach
    void fill() throws Exception {
        Files.writeString(root.resolve("file.txt"), "0123456789");
    }

    @ParameterizedTest
    @CsvSource({"none,200,200", "ranges,200,206", "conditions,304,200", "'ranges,conditions',304,206"})
    void areChosenAtTheStart(String filters, int conditional, int ranged, TestInfo test) throws Exception {
        for (WebDriver driver : (Iterable<WebDriver>) WebDriver.both(test)::iterator) {
            try (WebSample web = WebSample.serve(root, driver, "--filters", filters);
                    HttpClientSocket client = web.connect()) {
                String condition = "If-None-Match: *";
                String range = "Range: bytes=2-4";
                assertEquals(conditional, client.get("/file.txt", condition).receive().status());
                assertEquals(ranged, client.get("/file.txt", range).receive().status());
                // In whatever order they are given: a condition goes before a range.
                assertEquals(conditional == 304 ? 304 : ranged,
                        client.get("/file.txt", range, condition).receive().status());
                client.hangUp();
                boolean accepts = web.curl("/file.txt", "--head").text().contains("\r\nAccept-Ranges: bytes\r\n");
                assertEquals(filters.contains("ranges"), accepts);
                web.stop();
            }
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void areThereUnlessOthersAreChosen(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--access-log", "-")) {
            String part = web.curl("/file.txt", "--range", "2-4", "--include").text();
            assertTrue(part.endsWith("\r\n\r\n234"), part);
            assertEquals("304", web.status("/file.txt", "--header", "If-None-Match: *"));
            assertFalse(web.curl("/nothing", "--include").text().contains("Accept-Ranges"));
            web.process().output().awaitLine("part", line -> line.endsWith(" 206 3"));
            web.process().output().awaitLine("condition", line -> line.endsWith(" 304 -"));
            web.stop();
        }
    }

    /** Those that go with a reply to the client, with and without others below them. */
    @ParameterizedTest
    @CsvSource({"'throttling,logging',200,2500", "'logging,ranges,throttling',206,2000",
        "'throttling,conditions,codings,ranges,logging',206,2000"})
    void thoseOnTheWayStackWithOthers(String filters, int status, int size, TestInfo test) throws Exception {
        Files.write(root.resolve("long.bin"), new byte[2_500]);
        boolean all = filters.contains("codings") || Depth.current() != Depth.VERIFY;
        for (WebDriver driver : (Iterable<WebDriver>) (all ? WebDriver.all() : WebDriver.two(test))::iterator) {
            try (WebSample web = WebSample.serve(root, driver, "--filters", filters, "--rate", "" + RATE,
                    "--access-log", "-"); HttpClientSocket client = web.connect()) {
                long begin = System.nanoTime();
                HttpClientSocket.Received received = client.get("/long.bin", "Range: bytes=0-1999").receive();
                assertEquals(status, received.status());
                assertEquals(size, received.content().length);
                client.get("/long.bin", "Range: bytes=0-1999").receive();
                long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
                // All of both but what may go at once.
                assertTrue(millis >= (2 * size - RATE / 10) * 1000 / RATE, () -> driver + " took " + millis + " ms");
                client.hangUp();
                web.process().output().awaitLine("reply", line -> line.endsWith(" " + status + " " + size));
                web.stop();
            }
        }
    }

    /** On a connection that stays open meanwhile. */
    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void canBeReplacedWhileTheServerRuns(WebDriver driver) throws Exception {
        Path config = root.resolve("config");
        Path log = root.resolve("log");
        String file = "root = " + root + "\n";
        Files.writeString(config, file + "filters = logging\naccess-log = " + log);
        try (WebSample web = WebSample.start(driver, "--config", config.toString(), "--control", "0");
                HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertEquals(200, client.get("/file.txt?1", "Range: bytes=2-4").receive().status());
            Files.writeString(config, file + "filters = ranges");
            control.reload();
            assertEquals(206, client.get("/file.txt?2", "Range: bytes=2-4").receive().status());
            Files.writeString(config, file + "filters = throttling,logging\nrate = " + RATE
                    + "\naccess-log = " + log);
            control.reload();
            Files.write(root.resolve("long.bin"), new byte[RATE / 5]);
            long begin = System.nanoTime();
            assertEquals(200, client.get("/long.bin?3", "Range: bytes=2-4").receive().status());
            long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
            assertTrue(millis >= 80, () -> "took " + millis + " ms");
            Files.writeString(config, file + "filters = logging\nrate = 1024");
            assertEquals("[error: " + config + ":3: --rate needs the filter throttling, which --filters leaves out]",
                    control.ask("reload").toString());
            client.hangUp();
            Patience.until("the lines are written", () -> Files.readAllLines(log).size() == 2);
            web.process().stop();
            assertEquals("[?1 HTTP/1.1\" 200 10, ?3 HTTP/1.1\" 200 " + RATE / 5 + "]", Files.readAllLines(log).stream()
                    .map(line -> line.substring(line.indexOf('?'))).toList().toString());
        }
    }
}
