package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.io.IoStrategy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which filters are stacked decides what becomes of a file, as curl sees it. */
@EnabledOnOs(OS.LINUX)
class WebFiltersTest {

    @TempDir
    private Path root;

    @BeforeEach
    void fill() throws Exception {
        Files.writeString(root.resolve("file.txt"), "0123456789");
    }

    @ParameterizedTest
    @CsvSource({"none,200,200", "ranges,200,206", "conditions,304,200", "'ranges,conditions',304,206"})
    void areChosenAtTheStart(String filters, String conditional, String ranged) throws Exception {
        try (WebSample web = WebSample.serve(root, IoStrategy.REACTIVE, "--filters", filters)) {
            assertEquals(conditional, web.status("/file.txt", "--header", "If-None-Match: *"));
            assertEquals(ranged, web.status("/file.txt", "--range", "2-4"));
            // In whatever order they are given: a condition goes before a range.
            assertEquals(filters.contains(",") ? "304" : conditional.equals("304") ? "304" : ranged,
                    web.status("/file.txt", "--range", "2-4", "--header", "If-None-Match: *"));
            boolean accepts = web.curl("/file.txt", "--head").text().contains("\r\nAccept-Ranges: bytes\r\n");
            assertEquals(filters.contains("ranges"), accepts);
            web.stop();
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
}
