package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.CapturedOutput;
import dev.sluice.samples.ExternalProgram;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a browser shows. */
@EnabledOnOs(OS.LINUX)
class WebBrowserTest {

    @TempDir
    private Path directory;

    private String show(String url) throws Exception {
        ExternalProgram chromium = ExternalProgram.run(List.of("chromium", "--headless", "--no-sandbox",
                "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server", "--virtual-time-budget=20000",
                "--user-data-dir=" + directory.resolve("profile"), "--dump-dom", url));
        assertEquals(0, chromium.exitCode(), chromium::errors);
        return chromium.text();
    }

    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    @Tag(Depth.IN_MATRIX)
    void showsTheBundledSite(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.start(driver, "--access-log", "-")) {
            String page = show(web.url("/"));
            assertTrue(page.contains("<h1>This page came through Sluice.</h1>"), page);
            assertTrue(page.contains("</footer>"), page);
            for (String part : new String[] {"/", "/style.css", "/icon.svg"}) {
                web.process().output().awaitLine(part, line -> line.contains("\"GET " + part + " HTTP/1.1\" 200 "));
            }
            web.stop();
        }
    }

    /** The page itself reports which of its parts have loaded. */
    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    void loadsStylesScriptsAndImages(WebDriver driver) throws Exception {
        Path root = Files.createDirectory(directory.resolve("root"));
        Files.writeString(root.resolve("index.html"), """
                <!DOCTYPE html><link rel="stylesheet" href="style.css"><body><img src="image.svg">
                <p id="seen">nothing</p><script type="module" src="script.mjs"></script>""");
        Files.writeString(root.resolve("style.css"), "#seen { width: 123px }");
        Files.writeString(root.resolve("image.svg"),
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"45\" height=\"6\"/>");
        Files.writeString(root.resolve("data.txt"), "0123456789");
        Files.writeString(root.resolve("script.mjs"), """
                const range = await fetch("data.txt", { headers: { Range: "bytes=2-4" } });
                const missing = await fetch("missing");
                await document.images[0].decode();
                const seen = document.getElementById("seen");
                seen.textContent = [getComputedStyle(seen).width, document.images[0].naturalWidth,
                    range.status, await range.text(), missing.status].join(" ");
                """);
        try (WebSample web = WebSample.serve(root, driver)) {
            String page = show(web.url("/"));
            assertTrue(page.contains(">123px 45 206 234 404<"), page);
            web.stop();
        }
    }

    /** A reply of each kind that the filters make, as the page and the access log tell it. */
    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    void meetsCodingsConditionsAndRanges(WebDriver driver) throws Exception {
        Path root = Files.createDirectory(directory.resolve("root"));
        String text = "a line of text\n".repeat(5_000);
        Files.writeString(root.resolve("long.txt"), text);
        Files.writeString(root.resolve("index.html"), """
                <!DOCTYPE html><body><p id="seen">nothing</p><script type="module" src="script.mjs"></script>""");
        Files.writeString(root.resolve("script.mjs"), """
                if (performance.getEntriesByType("navigation")[0].type === "reload") {
                    const coded = await fetch("long.txt");
                    const text = await coded.text();
                    const range = await fetch("long.txt", { headers: { Range: "bytes=2-5" }, cache: "no-store" });
                    document.getElementById("seen").textContent = [coded.status,
                        coded.headers.get("Content-Encoding"), text.length, text === "a line of text\\n".repeat(5000),
                        range.status, await range.text(), range.headers.get("Content-Range")].join(" ");
                } else {
                    location.reload();
                }
                """);
        try (WebSample web = WebSample.serve(root, driver, "--access-log", "-")) {
            String page = show(web.url("/"));
            String range = "206 line bytes 2-5/" + text.length();
            assertTrue(page.contains(">200 gzip " + text.length() + " true " + range + "<"), page);
            CapturedOutput log = web.process().output();
            log.awaitLine("reload", line -> line.contains("\"GET / HTTP/1.1\" 304 -"));
            log.awaitLine("compressed reply", line -> line.contains("\"GET /long.txt HTTP/1.1\" 200 ")
                    && Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)) < text.length() / 10);
            log.awaitLine("range", line -> line.endsWith("\"GET /long.txt HTTP/1.1\" 206 4"));
            web.stop();
        }
    }
}
