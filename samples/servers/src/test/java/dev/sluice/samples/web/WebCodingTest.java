package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Patience;
import dev.sluice.samples.io.FileIo;
import dev.sluice.testing.Depth;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Content codings: what curl makes of them, and which one is sent to whom. */
@EnabledOnOs(OS.LINUX)
class WebCodingTest {

    private static final String TEXT = "0123456789 abcdefghij\n".repeat(2_000);
    private static final List<String> SIZE = List.of("--silent", "--show-error", "--write-out", "%{size_download}");
    private static final List<String> NEXT = Stream.concat(Stream.of("--next"), SIZE.stream()).toList();
    private static final String GZIP = "Accept-Encoding: gzip";
    /** A path, what the client accepts, the coding that it gets, and the status. */
    private static final String[] WELCOME = {"/page.txt|gzip|gzip|200", "/page.txt|br|-|200",
        "/page.txt|-|-|200", "/page.txt|gzip;q=0|-|200", "/page.txt|identity, gzip;q=0.5|-|200",
        "/page.txt|identity;q=0.2, gzip;q=0.5|gzip|200", "/page.txt|*|gzip|200", "/page.txt|nonsense;q=7|-|200",
        "/page.txt|identity;q=0, br|-|406", "/page.txt|identity;q=0, gzip|gzip|200", "/page.txt|*;q=0|-|406",
        "/both.txt|gzip, br|br|200", "/both.txt|gzip, br;q=0.9|gzip|200", "/both.txt|gzip|gzip|200",
        "/both.txt|br|br|200", "/both.txt|deflate|-|200",
        "/zeros.bin|gzip|-|200",
        "/zeros.bin|identity;q=0, gzip|-|406",
        "/nothing|gzip|-|404"};

    @TempDir
    private Path root;

    @BeforeEach
    void fill() throws Exception {
        Files.writeString(root.resolve("page.txt"), TEXT);
        Files.writeString(root.resolve("index.html"), TEXT);
        Files.writeString(root.resolve("both.txt"), TEXT);
        ExternalProgram.run(List.of("gzip", "--keep", root.resolve("both.txt").toString()));
        Files.writeString(root.resolve("both.txt.br"), "not really Brotli");
        Files.write(root.resolve("zeros.bin"), new byte[50_000]);
    }

    private static String field(HttpClientSocket.Received reply, String name) {
        Matcher field = Pattern.compile("\r\n" + name + ": (.*)\r\n").matcher(reply.head());
        return field.find() ? field.group(1) : null;
    }

    private static String unzipped(byte[] content) throws IOException {
        return new String(new GZIPInputStream(new ByteArrayInputStream(content)).readAllBytes(), US_ASCII);
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void curlDecodesWhicheverWayItTravels(WebDriver driver) throws Exception {
        for (FileIo way : driver.fileIo()) {
            try (WebSample web = WebSample.serve(root, driver, "--file-io", way.toString())) {
                String[] urls = {web.url("/page.txt"), web.url("/"), web.url("/index.html")};
                // One process for all of them, as it costs more than what it fetches.
                List<String> options = new ArrayList<>(SIZE);
                options.add("--compressed");
                options.addAll(List.of(urls));
                options.addAll(NEXT);
                options.addAll(List.of("--compressed", "--http1.0"));
                options.addAll(List.of(urls));
                options.addAll(NEXT);
                options.addAll(List.of("--compressed", "--header", "Accept-Encoding: gzip;q=1, br;q=0",
                        web.url("/both.txt")));
                options.addAll(NEXT);
                List<String> sizes = List.of(web.curl("/page.txt", options.toArray(String[]::new)).text()
                        .split(Pattern.quote(TEXT)));
                assertEquals(2 * urls.length + 3, sizes.size(), sizes::toString);
                assertEquals("", sizes.get(0));
                for (String size : sizes.subList(1, sizes.size() - 1)) {
                    assertTrue(Integer.parseInt(size) < TEXT.length() / 10, size);
                }
                assertEquals(Integer.toString(TEXT.length()), sizes.get(sizes.size() - 1));
                web.stop();
            }
        }
    }

    /** Twice, since the second time it may come from memory, where codings are kept apart by what a client accepts. */
    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    @Tag(Depth.IN_QUICK)
    void theMostWelcomeIsSent(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver); HttpClientSocket client = web.connect()) {
            for (int i = 0; i < 2; i++) {
                for (String each : WELCOME) {
                    String[] words = each.split("\\|");
                    assertSent(words[0], words[1], words[2], Integer.parseInt(words[3]), client);
                }
            }
            client.hangUp();
            web.stop();
        }
    }

    private static void assertSent(String path, String accepted, String coding, int status, HttpClientSocket client)
            throws Exception {
        String[] fields = accepted.equals("-") ? new String[0] : new String[] {"Accept-Encoding: " + accepted};
        HttpClientSocket.Received reply = client.get(path, fields).receive();
        String what = path + " for " + accepted;
        assertEquals(status, reply.status(), what);
        assertEquals(coding, Objects.requireNonNullElse(field(reply, "Content-Encoding"), "-"), what);
        boolean varies = path.endsWith(".txt") || status == 406;
        assertEquals(varies ? "Accept-Encoding" : null, field(reply, "Vary"), what);
        if (path.equals("/page.txt") && status == 200) {
            assertEquals("text/plain; charset=utf-8", field(reply, "Content-Type"), what);
            assertEquals(TEXT, coding.equals("-") ? new String(reply.content(), US_ASCII)
                    : unzipped(reply.content()), what);
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    @Tag(Depth.IN_QUICK)
    void eachRepresentationHasItsOwnVersionsAndParts(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver); HttpClientSocket client = web.connect()) {
            for (String path : new String[] {"/page.txt", "/both.txt"}) {
                String plainTag = field(client.get(path).receive(), "ETag");
                HttpClientSocket.Received whole = client.get(path, GZIP).receive();
                String tag = field(whole, "ETag");
                assertNotEquals(plainTag, tag);
                HttpClientSocket.Received unchanged = client.get(path, GZIP, "If-None-Match: " + tag).receive();
                assertEquals(304, unchanged.status());
                assertEquals("Accept-Encoding", field(unchanged, "Vary"));
                assertEquals(tag, field(unchanged, "ETag"));
                assertEquals(200, client.get(path, GZIP, "If-None-Match: " + plainTag).receive().status());
                assertEquals(412, client.get(path, "If-Match: " + tag).receive().status());
                String range = "Range: bytes=10-29";
                HttpClientSocket.Received part = client.get(path, GZIP, range, "If-Range: " + tag).receive();
                assertEquals(206, part.status());
                assertEquals("gzip", field(part, "Content-Encoding"));
                assertEquals("bytes 10-29/" + whole.content().length, field(part, "Content-Range"));
                assertArrayEquals(Arrays.copyOfRange(whole.content(), 10, 30), part.content());
                assertEquals(200, client.get(path, GZIP, range, "If-Range: " + plainTag).receive().status());
                // A reply of several parts is not coded: a client could not know what the coding applies to.
                HttpClientSocket.Received parts = client.get(path, GZIP, "Range: bytes=0-1,4-5").receive();
                assertEquals(200, parts.status());
                assertEquals(TEXT, unzipped(parts.content()));
            }
            client.hangUp();
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void theNewVersionIsCodedAnew(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver); HttpClientSocket client = web.connect()) {
            assertEquals(TEXT, unzipped(client.get("/page.txt", GZIP).receive().content()));
            String changed = TEXT.toUpperCase();
            Files.writeString(root.resolve("page.txt"), changed);
            Patience.until("the change is noticed",
                    () -> unzipped(client.get("/page.txt", GZIP).receive().content()).equals(changed));
            client.hangUp();
            web.stop();
        }
    }

    @ParameterizedTest
    @CsvSource({"--max-compressed,100", "--max-compressed,0", "--cache,none", "--filters,'conditions,ranges'"})
    void onTheFlyOnlyWhereItIsWanted(String option, String value, TestInfo test) throws Exception {
        for (WebDriver driver : (Iterable<WebDriver>) WebDriver.both(test)::iterator) {
            try (WebSample web = WebSample.serve(root, driver, option, value);
                    HttpClientSocket client = web.connect()) {
                assertNull(field(client.get("/page.txt", GZIP).receive(), "Content-Encoding"));
                assertEquals(value.contains("ranges") ? null : "gzip",
                        field(client.get("/both.txt", GZIP).receive(), "Content-Encoding"));
                client.hangUp();
                web.stop();
            }
        }
    }
}
