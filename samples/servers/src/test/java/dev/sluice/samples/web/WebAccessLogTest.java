package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is left behind, and what is noticed, while the server runs. */
@EnabledOnOs(OS.LINUX)
class WebAccessLogTest {

    private static final int REQUESTS = 1_000;
    private static final String TIME = "\\[\\d\\d/[A-Z][a-z][a-z]/\\d{4}:\\d\\d:\\d\\d:\\d\\d \\+0000]";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void hasALineForEachReply(WebDriver driver) throws Exception {
        Path file = directory.resolve("access.log");
        try (WebSample web = WebSample.start(driver, "--access-log", file.toString());
                HttpClientSocket client = web.connect(); HttpClientSocket other = web.connect()) {
            int size = client.get("/").receive().content().length;
            client.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n").receiveHead();
            client.get("/sample.txt", "Range: bytes=3-7").receive();
            client.get("/a\"b\\c\u00e9").receive();
            other.send("nonsense\r\n\r\n").receive();
            client.hangUp();
            other.hangUp();
            // Written soon, although there are few.
            Patience.until("the lines are written", () -> Files.readAllLines(file).size() == 5);
            String[] expected = {"\"GET / HTTP/1.1\" 200 " + size, "\"HEAD / HTTP/1.1\" 200 -",
                "\"GET /sample.txt HTTP/1.1\" 206 5", "\"GET /a\\\"b\\\\c\\xe9 HTTP/1.1\" 400 ", "\"nonsense\" 400 "};
            List<String> lines = new ArrayList<>(Files.readAllLines(file));
            // Another connection's line may come sooner, where other threads serve it.
            lines.sort(Comparator.comparing(line -> line.contains("nonsense")));
            for (int i = 0; i < expected.length; i++) {
                String line = lines.get(i);
                assertTrue(line.matches("127\\.0\\.0\\.1 - - " + TIME + " .*"), line);
                assertTrue(line.substring(line.indexOf(']') + 2).startsWith(expected[i]), line);
            }
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    @Tag(Depth.IN_QUICK)
    void isCompleteWhenTheServerStops(WebDriver driver) throws Exception {
        Path file = directory.resolve("access.log");
        try (WebSample web = WebSample.start(driver,
                driver.few("--access-log", file.toString()));
                HttpClientSocket one = web.connect(); HttpClientSocket other = web.connect()) {
            for (int i = 0; i < REQUESTS; i++) {
                one.get("/one" + i).receive();
                other.get("/other" + i).receive();
            }
            web.stop();
        }
        assertEquals(2 * REQUESTS, Files.readAllLines(file).stream().distinct()
                .filter(line -> line.contains(" HTTP/1.1\" 404 ")).count());
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void printsTheLogAfterTheReadyLine(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.start(driver, "--access-log", "-"); HttpClientSocket client = web.connect()) {
            client.get("/").receive();
            client.hangUp();
            web.stop();
            List<String> lines = web.process().output().lines();
            assertEquals(2, lines.size(), lines::toString);
            assertTrue(lines.get(1).contains("\"GET / HTTP/1.1\" 200 "), lines::toString);
        }
    }

    /** A pipe into a program that is stopped, or a terminal that Ctrl-S holds. */
    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void stoppedReaderDelaysNoClient(WebDriver driver) throws Exception {
        int requests = 600;
        String path = "/" + "x".repeat(8000);
        try (WebSample web = WebSample.of(SampleCommand.of(driver.command(driver.few("--access-log", "-")))
                .holdingOutput().startInThisJvm())) {
            web.address();
            try (HttpClientSocket client = web.connect()) {
                for (int i = 0; i < requests; i++) {
                    assertEquals(404, client.get(path).receive().status());
                }
            }
            web.process().output().release();
            String report = web.process().errors().awaitLine("report", line -> line.contains(" lines were dropped"));
            int dropped = Integer.parseInt(report.replaceAll(".* (\\d+) lines were dropped.*", "$1"));
            web.process().stop();
            List<String> lines = web.process().output().lines();
            assertEquals(requests, dropped + lines.size() - 1);
            assertTrue(lines.stream().skip(1).allMatch(line -> line.contains(path + " HTTP/1.1\" 404 ")));
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    void fullDiskIsReportedOnceAndDelaysNoClient(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.start(driver, "--access-log", "/dev/full");
                HttpClientSocket client = web.connect()) {
            for (int i = 0; i < REQUESTS; i++) {
                assertEquals(404, client.get("/" + i).receive().status());
            }
            client.hangUp();
            web.process().stop();
            List<String> errors = web.process().errors().lines();
            assertEquals(1, errors.stream().filter(line -> line.contains("access log: ")).count(), errors::toString);
            assertTrue(errors.get(0).endsWith("ENOSPC (no space left on the device)"), errors::toString);
        }
    }

    /** Otherwise a port scanner could fill the server's own log. */
    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    void saysNothingOfConnectionsThatAreBrokenBeforeTheyAreAccepted(WebDriver driver) throws Exception {
        try (SampleProcess process = SampleCommand.of(driver.command("--access-log",
                directory.resolve("access.log").toString())).startProcess(); WebSample web = WebSample.of(process)) {
            web.address();
            process.suspend();
            for (int i = 0; i < 5; i++) {
                try (HttpClientSocket broken = web.connect()) {
                    broken.socket().setSoLinger(true, 0);
                }
            }
            process.resume();
            try (HttpClientSocket client = web.connect()) {
                assertEquals(200, client.get("/").receive().status());
            }
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource
    void servesTheNewVersionOfAFile(WebDriver driver, String cache) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "old");
        try (WebSample web = WebSample.serve(directory, driver, "--cache", cache);
                HttpClientSocket client = web.connect()) {
            assertEquals("old", new String(client.get("/file").receive().content()));
            Files.writeString(file, "changed");
            Patience.until("the change is noticed",
                    () -> new String(client.get("/file").receive().content()).equals("changed"));
            Path replacement = Files.writeString(directory.resolve("replacement"), "another");
            Files.move(replacement, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Patience.until("the replacement is noticed",
                    () -> new String(client.get("/file").receive().content()).equals("another"));
            Files.delete(file);
            Patience.until("the removal is noticed", () -> client.get("/file").receive().status() == 404);
            client.hangUp();
            web.stop();
        }
    }

    /** {@return each driver with one cache, and the other caches with one driver} */
    static Stream<Arguments> servesTheNewVersionOfAFile(TestInfo test) {
        return Stream.concat(WebDriver.ways(test).map(driver -> Arguments.of(driver, "lru")),
                Stream.of("lfu", "none").flatMap(cache -> Depth.some(test, WebDriver.io(), 1)
                        .map(driver -> Arguments.of(driver, cache))));
    }
}
