package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Directories, media types, and the methods that describe the server. */
@EnabledOnOs(OS.LINUX)
class WebDirectoryTest {

    private static final String[] NAMES = {"plain.txt", "a b", "<script>alert(1)</script>", "\"quoted\" & 'so'", "50%",
        "javascript:alert(1)", "caf\u00e9", "a?b#c", "&lt;"};

    @TempDir
    private Path directory;
    private Path root;

    @BeforeEach
    void fill() throws IOException {
        root = Files.createDirectory(directory.resolve("root"));
        Path odd = Files.createDirectory(root.resolve("odd"));
        for (String name : NAMES) {
            Files.writeString(odd.resolve(name.replace("/", "\u2215")), name);
        }
        Files.createDirectory(odd.resolve("sub"));
        Files.writeString(odd.resolve(".hidden"), "hidden");
        Files.writeString(directory.resolve("secret"), "secret");
        Files.createSymbolicLink(odd.resolve("leak"), directory.resolve("secret"));
        Files.createDirectory(root.resolve("indexed"));
        Files.writeString(root.resolve("indexed/home.htm"), "home");
        Files.writeString(root.resolve("indexed/index.html"), "index");
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void listsWhatCanBeFetched(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--listing"); HttpClientSocket client = web.connect()) {
            String page = web.curl("/odd/").text();
            assertFalse(page.contains("<script") || page.contains("hidden") || page.contains("leak"), page);
            Matcher links = Pattern.compile("<a href=\"\\./([^\"]*)\">").matcher(page);
            int found = 0;
            while (links.find()) {
                String target = links.group(1).replace("&amp;", "&").replace("&#39;", "'");
                if (target.equals("sub/")) {
                    assertTrue(text(client, "/odd/sub/").contains("<a href=\"../\">"));
                    continue;
                }
                String content = text(client, "/odd/" + target);
                assertTrue(List.of(NAMES).contains(content), target + ": " + content);
                found++;
            }
            assertEquals(NAMES.length, found, page);
            assertEquals(301, client.get("/odd").receive().status());
            assertEquals(404, client.get("/nothing/").receive().status());
            assertEquals(404, client.get("/odd/a%20b/").receive().status());
            assertEquals("index", text(client, "/indexed/"));
            client.hangUp();
            String head = web.curl("/odd/", "--head").text();
            assertTrue(head.contains("\r\nContent-Length: " + page.getBytes("UTF-8").length + "\r\n"), head);
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void showsNoDirectoryUnlessAskedTo(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver)) {
            assertEquals("404", web.status("/odd/"));
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void takesTheFirstIndexPageThatIsThere(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--index", "none.htm,home.htm,index.html",
                "--cache", "none"); HttpClientSocket client = web.connect()) {
            assertEquals("home", text(client, "/indexed/"));
            Files.delete(root.resolve("indexed/home.htm"));
            awaitIndex("index", client, driver);
            Files.writeString(root.resolve("indexed/none.htm"), "none");
            awaitIndex("none", client, driver);
            client.hangUp();
            web.stop();
        }
    }

    /** Pages in memory are compared with their files now and then. */
    private static void awaitIndex(String expected, HttpClientSocket client, WebDriver driver) throws Exception {
        if (driver.isStaged()) {
            Patience.until(expected, () -> text(client, "/indexed/").equals(expected));
        }
        assertEquals(expected, text(client, "/indexed/"));
    }

    private static String text(HttpClientSocket client, String target) throws Exception {
        return new String(client.get(target).receive().content(), UTF_8);
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void asksTheSystemForMediaTypes(WebDriver driver) throws Exception {
        Path types = Files.writeString(directory.resolve("types"), """
                # A comment
                application/x-odd\t\todd Odder
                application/x-bare
                text/wrong txt
                not a type at all
                text/evil:\u00e9\rX: y   evil
                """);
        Files.writeString(root.resolve("a.odd"), "odd");
        Files.writeString(root.resolve("a.ODDER"), "odd");
        Files.writeString(root.resolve("a.txt"), "text");
        Files.writeString(root.resolve("a.evil"), "evil");
        try (WebSample web = WebSample.serve(root, driver, "--mime-types", types.toString())) {
            assertEquals("application/x-odd", type(web, "/a.odd"));
            assertEquals("application/x-odd", type(web, "/a.ODDER"));
            assertEquals("text/plain; charset=utf-8", type(web, "/a.txt"));
            assertEquals("application/octet-stream", type(web, "/a.evil"));
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void asksForThemWhereTheyUsuallyAre(WebDriver driver) throws Exception {
        Path usual = Path.of("/etc/mime.types");
        assumeTrue(Files.exists(usual), "there is no " + usual);
        Map<String, String> types = new LinkedHashMap<>();
        for (String line : Files.readAllLines(usual, ISO_8859_1)) {
            String[] words = line.strip().split("[ \t]+");
            Stream.of(words).skip(1).forEach(each -> types.putIfAbsent(each, words[0]));
        }
        // None of these is built in.
        String odd = types.keySet().stream().filter(each -> each.matches("[a-z]{3,}")
                && types.get(each).matches("application/x-[a-z]+")).findFirst().orElse(null);
        assumeTrue(odd != null, () -> "of " + usual + " all that could be asked for is known without it");
        Files.writeString(root.resolve("a." + odd), "odd");
        try (WebSample web = WebSample.serve(root, driver)) {
            assertEquals(types.get(odd), type(web, "/a." + odd));
            web.stop();
        }
    }

    private static String type(WebSample web, String path) throws Exception {
        return web.curl(path, "--output", "/dev/null", "--write-out", "%{content_type}").text();
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void namesTheAllowedMethods(WebDriver driver) throws Exception {
        Files.createDirectory(root.resolve("inbox"));
        try (WebSample web = WebSample.serve(root, driver, "--put", "/inbox", "--trace");
                HttpClientSocket client = web.connect()) {
            String all = "GET, HEAD, OPTIONS, PUT, TRACE";
            assertAllows(all, web.curl("", "--request", "OPTIONS", "--request-target", "*", "--include").text());
            assertAllows(all, web.curl("/inbox/x", "--request", "OPTIONS", "--include").text());
            assertAllows("GET, HEAD, OPTIONS, TRACE", web.curl("/x", "--request", "OPTIONS", "--include").text());
            assertEquals("400", web.status("/../x", "--path-as-is", "--request", "OPTIONS"));
            client.send(HttpClientSocket.request("OPTIONS", "*"));
            assertEquals(204, client.receive().status());
            client.send(HttpClientSocket.request("TRACE", "/a?b", "Cookie: secret", "X: y", "AUTHORIZATION: secret",
                    "Proxy-Authorization: secret", "Max-Forwards: 0"));
            HttpClientSocket.Received trace = client.receive();
            assertEquals(200, trace.status());
            assertTrue(trace.head().contains("\r\nContent-Type: message/http\r\n"), trace.head());
            assertEquals("TRACE /a?b HTTP/1.1\r\nHost: test\r\nX: y\r\nMax-Forwards: 0\r\n\r\n",
                    new String(trace.content(), "ISO-8859-1"));
            client.send(HttpClientSocket.request("TRACE", "/", "Content-Length: 1") + "x");
            assertEquals(400, client.receive().status());
            client.hangUp();
            web.stop();
        }
    }

    private static void assertAllows(String methods, String reply) {
        assertTrue(reply.startsWith("HTTP/1.1 204 ") && reply.contains("\r\nAllow: " + methods + "\r\n"), reply);
    }
}
