package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.io.IoStrategy;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the status page says about the cache. */
@EnabledOnOs(OS.LINUX)
class WebStatusTest {

    private final byte[] bytes = RandomBytes.of(5, 300_000);

    @TempDir
    private Path directory;
    private Path root;

    @BeforeEach
    void fill() throws Exception {
        root = Files.createDirectory(directory.resolve("root"));
        for (String name : new String[] {"a", "b", "c"}) {
            Files.write(root.resolve(name), bytes);
        }
    }

    private static Map<String, String> figures(WebSample web) throws Exception {
        String[] lines;
        try (HttpClientSocket client = web.connect()) {
            lines = new String(client.get("/status.csv").receive().content(), US_ASCII).split("\r\n");
        }
        assertEquals(2, lines.length);
        String[] names = lines[0].split(",");
        String[] values = lines[1].split(",", -1);
        assertEquals(names.length, values.length);
        Map<String, String> figures = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            figures.put(names[i], values[i]);
        }
        return figures;
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    @Tag(Depth.IN_QUICK)
    void hasAPageAndATable(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--status", "/status", "--cache-files", "2", "--cache",
                "lfu")) {
            try (HttpClientSocket client = web.connect()) {
                for (String path : new String[] {"/a", "/a", "/b", "/c", "/none"}) {
                    client.get(path).receive();
                }
            }
            Map<String, String> figures = figures(web);
            assertEquals("lfu", figures.get("strategy"));
            assertEquals("2", figures.get("entries"));
            if (driver.isStaged()) {
                // The page cache is before that of open files.
                assertEquals("1", figures.get("page hits"));
                assertEquals("3", figures.get("pages"));
            }
            assertEquals(driver.isStaged() ? "0" : "1", figures.get("hits"));
            assertEquals("4", figures.get("misses"));
            assertEquals(driver.isStaged() ? "0" : "200", figures.get("hits per thousand"));
            assertEquals("1", figures.get("evictions"));
            String page = web.curl("/status", "--include").text();
            assertTrue(page.contains("<th>evictions</th><td>1</td>"), page);
            assertTrue(page.contains("\r\nCache-Control: no-store\r\n"), page);
            assertEquals("404", web.status("/status.html"));
            assertEquals("405", web.status("/status", "--data", "x"));
            web.stop();
        }
    }

    /** Haboob finds in memory what has been asked for before, whether or not files stay open. */
    @ParameterizedTest
    @CsvSource({"lru,0", "structured,0", "hinted,1"})
    void showsWhatAStrategyIsGoodFor(String cache, int hits) throws Exception {
        Path hints = Files.writeString(directory.resolve("hints"), "# What the pages need\n/a\n");
        String[] options = {"--status", "/status", "--cache-files", "1", "--cache", cache, "--cache-hints",
            hints.toString()};
        if (!cache.equals("hinted")) {
            options = Arrays.copyOf(options, 6);
        }
        try (WebSample web = WebSample.serve(root, IoStrategy.REACTIVE, options)) {
            try (HttpClientSocket client = web.connect()) {
                for (String path : new String[] {"/a", "/b", "/a"}) {
                    assertEquals(200, client.get(path).receive().status());
                }
            }
            assertEquals(Integer.toString(hits), figures(web).get("hits"));
            web.stop();
        }
    }

    /** Haboob maps none. */
    @ParameterizedTest
    @EnumSource
    void mapsFilesWithinABudget(IoStrategy io) throws Exception {
        try (WebSample web = WebSample.serve(root, io, "--status", "/status", "--file-io", "mmap", "--cache-memory",
                "500000")) {
            try (HttpClientSocket client = web.connect()) {
                for (String path : new String[] {"/a", "/b", "/c", "/b"}) {
                    assertArrayEquals(bytes, client.get(path).receive().content());
                }
            }
            assertEquals("300000", figures(web).get("mapped bytes"));
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void isNotThereUnlessAskedFor(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver)) {
            assertEquals("404", web.status("/status"));
            assertEquals("404", web.status("/status.csv"));
            web.stop();
        }
    }
}
