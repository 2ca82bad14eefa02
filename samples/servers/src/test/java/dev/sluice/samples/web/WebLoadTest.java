package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many clients at once. */
@EnabledOnOs(OS.LINUX)
class WebLoadTest {

    private static final int FILES = 40;
    private static final int REQUESTS = Depth.current() == Depth.VERIFY ? 400 : 2_000;

    @TempDir
    private Path root;
    private final List<byte[]> contents = new ArrayList<>();

    @BeforeEach
    void fill() throws IOException {
        for (int i = 0; i < FILES; i++) {
            contents.add(RandomBytes.of(i, 100 + i * i * 200));
            Files.write(root.resolve("file" + i), contents.get(i));
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void javaFetchesManyFilesAtOnce(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, driver.few())) {
            HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            List<CompletableFuture<HttpResponse<byte[]>>> replies = new ArrayList<>();
            for (int i = 0; i < 2 * FILES; i++) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(web.url("/file" + i % FILES))).build();
                replies.add(client.sendAsync(request, BodyHandlers.ofByteArray()));
            }
            for (int i = 0; i < replies.size(); i++) {
                HttpResponse<byte[]> reply = replies.get(i).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertEquals(200, reply.statusCode());
                assertArrayEquals(contents.get(i % FILES), reply.body());
            }
            close(client);
            web.stop();
        }
    }

    /** Closes the sockets of a client, which Java 17 leaves to the collector. */
    private static void close(HttpClient client) throws Exception {
        if (client instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    @Tag(Depth.IN_MATRIX)
    void wrkMeetsNoErrorWhicheverThreadServes(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver)) {
            wrk(web, "/file20");
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    void wrkMeetsNoError(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver)) {
            wrk(web, "/file3");
            // It takes a second at least, and both processors; ab asks for these in each build.
            if (Depth.current() != Depth.VERIFY) {
                wrk(web, "/file39");
                wrk(web, "/file3", "--header", "Connection: close");
            }
            web.stop();
        }
    }

    private static void wrk(WebSample web, String target, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("wrk", "--duration", "1s", "--threads", "1",
                "--connections", "50", "--timeout", "30s"));
        command.addAll(List.of(options));
        command.add(web.url(target));
        ExternalProgram wrk = ExternalProgram.run(command);
        String report = wrk.text();
        assertEquals(0, wrk.exitCode(), wrk::errors);
        assertTrue(number(report, "(\\d+) requests in") > 0, report);
        assertFalse(report.contains("Socket errors") || report.contains("Non-2xx"), report);
    }

    @ParameterizedTest
    @MethodSource(WebDriver.TWO)
    void abMeetsNoError(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver)) {
            ab(web, "/file3");
            ab(web, "/file39");
            assertEquals(REQUESTS, number(ab(web, "/file3", "-k"), "Keep-Alive requests: +(\\d+)"));
            web.stop();
        }
    }

    private static String ab(WebSample web, String target, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("ab", "-q", "-n", Integer.toString(REQUESTS), "-c", "20"));
        command.addAll(List.of(options));
        command.add(web.url(target));
        ExternalProgram ab = ExternalProgram.run(command);
        String report = ab.text();
        assertEquals(0, ab.exitCode(), ab::errors);
        assertEquals(REQUESTS, number(report, "Complete requests: +(\\d+)"), report);
        assertEquals(0, number(report, "Failed requests: +(\\d+)"), report);
        assertFalse(report.contains("Non-2xx") || report.contains("Write errors"), report);
        return report;
    }

    private static long number(String report, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(report);
        assertTrue(found.find(), () -> pattern + " in " + report);
        return Long.parseLong(found.group(1));
    }
}
