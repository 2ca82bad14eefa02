package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters that are no part of the server, and are added while it runs. */
class WebFoundFiltersTest {

    @TempDir
    private Path directory;
    private Path root;
    private Path config;

    @BeforeEach
    void fill() throws IOException {
        root = Files.createDirectory(directory.resolve("root"));
        for (String name : List.of("file", "early", "late", "closed", "cut")) {
            Files.writeString(root.resolve(name), "0123456789");
        }
        config = directory.resolve("web.conf");
        configure("conditions,ranges");
        FoundFilters.SEEN.clear();
    }

    private void configure(String filters) throws IOException {
        Files.write(config, List.of("root = " + root, "filters = " + filters));
    }

    private WebSample start(WebDriver driver) throws IOException {
        return WebSample.start(driver, "--config", config.toString(), "--control", "0");
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void standWhereTheySayWhateverOrderTheyAreNamedIn(WebDriver driver) throws Exception {
        try (WebSample web = start(driver); HttpClientSocket client = web.connect()) {
            assertEquals(304, client.get("/file", "If-None-Match: *").receive().status());
            assertEquals(List.of(), FoundFilters.SEEN);
            configure("after,ranges,middle,conditions,before");
            ControlClient.of(web).reload();
            assertEquals(304, client.get("/file", "If-None-Match: *").receive().status());
            assertEquals(206, client.get("/file", "Range: bytes=1-2").receive().status());
            assertEquals(List.of("BEFORE_CONDITIONS 200", "BEFORE_RANGES 304", "AFTER_RANGES 304",
                    "BEFORE_CONDITIONS 200", "BEFORE_RANGES 200", "AFTER_RANGES 206"), FoundFilters.SEEN);
            client.hangUp();
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void answerRequestsAndFailNoOtherOnes(WebDriver driver) throws Exception {
        try (WebSample web = start(driver); HttpClientSocket client = web.connect()) {
            assertEquals(200, client.get("/closed").receive().status());
            assertEquals(200, client.get("/early").receive().status());
            configure("gate,ranges");
            ControlClient.of(web).reload();
            assertEquals(403, client.get("/closed").receive().status());
            assertEquals(500, client.get("/early").receive().status());
            assertEquals(500, client.get("/late").receive().status());
            assertEquals("12", new String(client.get("/file", "Range: bytes=1-2").receive().content(), US_ASCII));
            web.process().errors().awaitLine("first failure", line -> line.endsWith(
                    "the filter gate has failed: java.lang.IllegalStateException: early"));
            web.process().errors().awaitLine("second failure", line -> line.endsWith(
                    "the filter gate has failed: java.lang.StackOverflowError: late"));
            assertEquals(0, web.process().errors().text().lines().filter(line -> line.startsWith("\tat ")).count());
            client.hangUp();
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void oneOnTheWayEndsItsConnectionAlone(WebDriver driver) throws Exception {
        configure("cut,ranges");
        try (WebSample web = start(driver); HttpClientSocket client = web.connect();
                HttpClientSocket other = web.connect()) {
            assertEquals(200, other.get("/file").receive().status());
            client.get("/cut");
            assertThrows(EOFException.class, client::receive);
            web.process().errors().awaitLine("failure", line -> line.endsWith(
                    "the filter cut has failed: java.lang.IllegalStateException: cut"));
            assertEquals(0, web.process().errors().text().lines().filter(line -> line.startsWith("\tat ")).count());
            assertEquals(200, other.get("/file").receive().status());
            other.hangUp();
            web.process().stop();
        }
    }

    /** The connections were open before, and have had replies without it. */
    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void aReloadAddsAndRemovesATransferFilter(WebDriver driver) throws Exception {
        try (WebSample web = start(driver); HttpClientSocket client = web.connect();
                HttpClientSocket other = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertEquals(200, client.get("/cut").receive().status());
            assertEquals(200, other.get("/cut").receive().status());
            configure("cut,conditions,ranges");
            control.reload();
            client.get("/cut");
            assertThrows(EOFException.class, client::receive);
            web.process().errors().awaitLine("failure", line -> line.endsWith(
                    "the filter cut has failed: java.lang.IllegalStateException: cut"));
            assertEquals(200, other.get("/file").receive().status());
            configure("conditions,ranges");
            control.reload();
            assertEquals(200, other.get("/cut").receive().status());
            other.hangUp();
            web.process().stop();
        }
    }

    @Test
    void thoseThatAreMissingOrCannotBeMadeChangeNothing() throws Exception {
        try (WebSample web = start(WebDriver.each().get(0)); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            configure("ranges,strange");
            assertEquals(List.of("error: " + config + ":2: --filters: there is no filter 'strange', but after, before, "
                    + "codings, conditions, cut, gate, logging, middle, none, nowhere, ranges, throttling, unmade"),
                    control.ask("reload"));
            configure("ranges,unmade");
            assertEquals(List.of("error: " + config
                    + ":2: --filters unmade: java.lang.IllegalArgumentException: not today"), control.ask("reload"));
            configure("nowhere,ranges");
            assertEquals(List.of("error: " + config
                    + ":2: --filters nowhere: java.lang.NullPointerException: no position"), control.ask("reload"));
            assertEquals(304, client.get("/file", "If-None-Match: *").receive().status());
            assertEquals("1", control.status("configuration"));
            client.hangUp();
            web.process().stop();
        }
    }
}
