package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that clients replace: all of it or nothing, and only where they may. */
@EnabledOnOs(OS.LINUX)
class WebPutTest {

    private static final String LENGTH = "Content-Length: 3";
    /** Written in pieces without a rest. */
    private static final int HALF = 8 * 64 * 1024;

    /** What is not allowed: the target, a field of the head, and the status. */
    private static final String[][] REFUSED = {{"/inbox/new", "Content-Range: bytes 0-2/3", "400"},
        {"/inbox/new", "Content-Encoding: gzip", "415"}, {"/inbox/none/new", null, "409"}, {"/inbox/sub", null, "409"},
        {"/inbox/sub/", null, "409"}, {"/inbox/leak/new", null, "409"}, {"/inbox/link.txt", null, "409"},
        {"/inbox", null, "405"}, {"/outside.txt", null, "405"}, {"/inbox/../x", null, "405"},
        {"/inbox/%2e%2e/x", null, "405"}, {"/../x", null, "400"}, {"/inbox/%00", null, "400"}, {"*", null, "400"},
        {"/inbox/old.txt/x", null, "409"}, {"/inbox/new", "If-Match: *", "412"},
        {"/inbox/old.txt", "If-None-Match: *", "412"}, {"/inbox/old.txt", "If-Match: \"x\"", "412"},
        {"/inbox/old.txt", "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "412"}};

    private final byte[] bytes = RandomBytes.of(3, 3_000_000);

    @TempDir
    private Path directory;
    private Path root;
    private Path inbox;
    private Path upload;

    @BeforeEach
    void fill() throws IOException {
        root = Files.createDirectory(directory.resolve("root"));
        inbox = Files.createDirectory(root.resolve("inbox"));
        Files.createDirectory(inbox.resolve("sub"));
        Files.writeString(inbox.resolve("old.txt"), "old");
        Files.writeString(root.resolve("outside.txt"), "old");
        Files.createDirectory(directory.resolve("elsewhere"));
        Files.createSymbolicLink(inbox.resolve("leak"), directory.resolve("elsewhere"));
        Files.createSymbolicLink(inbox.resolve("link.txt"), root.resolve("outside.txt"));
        upload = Files.write(directory.resolve("upload"), bytes);
    }

    private WebSample serve(WebDriver driver, String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of("--put", "/inbox"));
        options.addAll(List.of(more));
        return WebSample.serve(root, driver, options.toArray(String[]::new));
    }

    private void assertNothingLeftOver() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            assertEquals(List.of(), all.filter(file -> file.getFileName().toString().startsWith(".")).toList());
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void curlReplacesFiles(WebDriver driver) throws Exception {
        try (WebSample web = serve(driver)) {
            assertEquals("old", web.curl("/inbox/old.txt").text());
            assertEquals("204", web.status("/inbox/old.txt", "--upload-file", upload.toString()));
            // At once, although the old one has been kept open.
            assertArrayEquals(bytes, web.curl("/inbox/old.txt").output());
            assertEquals("201", web.status("/inbox/sub/new%20file", "--upload-file", upload.toString()));
            assertArrayEquals(bytes, Files.readAllBytes(inbox.resolve("sub/new file")));
            assertEquals("201", web.status("/inbox/chunked", "--upload-file", upload.toString(), "--header",
                    "Transfer-Encoding: chunked"));
            assertArrayEquals(bytes, web.curl("/inbox/chunked").output());
            assertEquals("204", web.status("/inbox/chunked", "--upload-file", upload.toString(), "--header",
                    "Expect: 100-continue"));
            assertEquals("204", web.status("/inbox/chunked", "--request", "PUT", "--data", ""));
            assertEquals(0, Files.size(inbox.resolve("chunked")));
            assertNothingLeftOver();
            web.stop();
        }
    }

    /** Nothing of it is left over while the connection stays open. */
    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void contentIsDroppedIfAServiceAnswers(WebDriver driver) throws Exception {
        try (WebSample web = serve(driver, "--service", "one path=/inbox/new mark=refused");
                HttpClientSocket client = web.connect()) {
            HttpClientSocket.Received reply = client.send(
                    HttpClientSocket.request("PUT", "/inbox/new", LENGTH) + "new").receive();
            assertEquals("200 refused", reply.status() + " " + new String(reply.content(), US_ASCII));
            Patience.until("the content is dropped", () -> {
                try (Stream<Path> all = Files.list(inbox)) {
                    return all.noneMatch(file -> file.getFileName().toString().startsWith("."));
                }
            });
            assertFalse(Files.exists(inbox.resolve("new")));
            client.hangUp();
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    @Tag(Depth.IN_QUICK)
    void refusesWhatItMust(WebDriver driver) throws Exception {
        try (WebSample web = serve(driver, "--max-content", "10")) {
            assertAll(Stream.of(REFUSED).<Executable>map(row -> () ->
                    assertRefused(web, row[0], row[1], Integer.parseInt(row[2]))));
            web.stop();
        }
    }

    private void assertRefused(WebSample web, String target, String field, int status) throws Exception {
        try (HttpClientSocket client = web.connect()) {
            String[] fields = field == null ? new String[] {LENGTH} : new String[] {LENGTH, field};
            client.send(HttpClientSocket.request("PUT", target, fields) + "new");
            HttpClientSocket.Received reply = client.receive();
            assertEquals(status, reply.status(), target + " " + field + "\n" + reply.head());
            assertEquals(status == 405, reply.head().contains("\r\nAllow: GET, HEAD, OPTIONS\r\n"), reply.head());
            // The little content has been read over.
            assertEquals("old", new String(client.get("/inbox/old.txt").receive().content(), US_ASCII));
            assertEquals("old", Files.readString(root.resolve("outside.txt")));
            assertFalse(Files.exists(directory.resolve("elsewhere/new")));
            assertNothingLeftOver();
        }
    }

    /** Before it takes any of the content. */
    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void refusesANameThatIsTooLong(WebDriver driver) throws Exception {
        try (WebSample web = serve(driver); HttpClientSocket client = web.connect()) {
            client.send(HttpClientSocket.request("PUT", "/inbox/" + "n".repeat(256), LENGTH, "Expect: 100-continue"));
            assertEquals(409, client.receive().status());
            assertNothingLeftOver();
            client.hangUp();
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void isBounded(WebDriver driver) throws Exception {
        try (WebSample web = serve(driver, "--max-put", "1000000"); HttpClientSocket client = web.connect()) {
            assertEquals("413", web.status("/inbox/old.txt", "--upload-file", upload.toString()));
            assertEquals("413", web.status("/inbox/old.txt", "--upload-file", upload.toString(), "--header",
                    "Expect:"));
            assertEquals("413", web.status("/inbox/old.txt", "--upload-file", upload.toString(), "--header",
                    "Transfer-Encoding: chunked"));
            client.send(HttpClientSocket.request("PUT", "/inbox/old.txt"));
            assertEquals(411, client.receive().status());
            client.hangUp();
            assertEquals("old", web.curl("/inbox/old.txt").text());
            Patience.until("nothing is left over", () -> {
                try (Stream<Path> all = Files.list(inbox)) {
                    return all.noneMatch(file -> file.getFileName().toString().startsWith("."));
                }
            });
            web.stop();
        }
    }

    @Test
    void fullDiskIsReportedAndKeepsTheOldFile() throws Exception {
        // The JVM ignores SIGXFSZ, so that writing more than the limit fails.
        SampleCommand command = SampleCommand.of("web", "--port", "0", "--root", root.toString(), "--put", "/inbox")
                .after("ulimit -f 1000");
        try (RunningSample process = command.start(); HttpClientSocket client =
                new HttpClientSocket(process.awaitAddress())) {
            client.send(HttpClientSocket.request("PUT", "/inbox/old.txt", "Content-Length: " + bytes.length,
                    "Expect: 100-continue"));
            assertTrue(client.receiveHead().startsWith("HTTP/1.1 100 "));
            Background<Void> sending = Background.run(() -> {
                client.socket().getOutputStream().write(bytes);
                return null;
            });
            assertEquals(507, client.receive().status());
            sending.result();
            client.hangUp();
            assertEquals("old", Files.readString(inbox.resolve("old.txt")));
            Patience.until("the part is deleted", () -> {
                try (Stream<Path> all = Files.list(inbox)) {
                    return all.noneMatch(file -> file.getFileName().toString().startsWith("."));
                }
            });
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void onlyTheFirstOfTwoThatKnewTheSameVersionReplacesIt(WebDriver driver) throws Exception {
        try (WebSample web = serve(driver); HttpClientSocket one = web.connect();
                HttpClientSocket other = web.connect()) {
            String tag = tag(one.get("/inbox/old.txt").receive());
            for (HttpClientSocket client : new HttpClientSocket[] {one, other}) {
                client.send(HttpClientSocket.request("PUT", "/inbox/old.txt", LENGTH, "If-Match: " + tag,
                        "Expect: 100-continue"));
                assertTrue(client.receiveHead().startsWith("HTTP/1.1 100 "));
            }
            HttpClientSocket.Received first = one.send("one").receive();
            assertEquals(204, first.status());
            assertFalse(first.head().contains("Content-Length"), first.head());
            assertEquals(412, other.send("two").receive().status());
            HttpClientSocket.Received now = other.get("/inbox/old.txt").receive();
            assertEquals("one", new String(now.content(), US_ASCII));
            assertEquals(tag(first), tag(now));
            one.send(HttpClientSocket.request("PUT", "/inbox/new", LENGTH, "If-None-Match: *") + "new");
            assertEquals(201, one.receive().status());
            assertNothingLeftOver();
            one.hangUp();
            other.hangUp();
            web.stop();
        }
    }

    private static String tag(HttpClientSocket.Received reply) {
        Matcher tag = Pattern.compile("\r\nETag: (.*)\r\n").matcher(reply.head());
        assertTrue(tag.find(), reply.head());
        return tag.group(1);
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void aClientThatBreaksOffLeavesTheOldFile(WebDriver driver) throws Exception {
        try (WebSample web = serve(driver); HttpClientSocket client = web.connect()) {
            sendHalf(client);
            assertEquals("old", web.curl("/inbox/old.txt").text());
            client.hangUp();
            Patience.until("the part is deleted", () -> partsIn(inbox).isEmpty());
            assertEquals("old", web.curl("/inbox/old.txt").text());
            assertEquals("old", Files.readString(inbox.resolve("old.txt")));
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    void aServerThatIsKilledLeavesTheOldFile(WebDriver driver) throws Exception {
        try (SampleProcess process = SampleCommand.of(driver.command("--root", root.toString(), "--put", "/inbox"))
                .startProcess(); HttpClientSocket client = new HttpClientSocket(process.awaitAddress())) {
            sendHalf(client);
            process.signal("KILL");
        }
        // It has ended.
        assertEquals("old", Files.readString(inbox.resolve("old.txt")));
        try (WebSample web = serve(driver, "--listing")) {
            assertEquals("old", web.curl("/inbox/old.txt").text());
            String page = web.curl("/inbox/").text();
            assertTrue(page.contains("old.txt") && !page.contains(".put"), page);
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void aDirectoryThatIsRemovedMeanwhileIsAConflict(WebDriver driver) throws Exception {
        Path sub = inbox.resolve("sub");
        try (WebSample web = serve(driver); HttpClientSocket client = web.connect()) {
            client.send(HttpClientSocket.request("PUT", "/inbox/sub/new", "Content-Length: 6") + "abc");
            List<Path> parts = new ArrayList<>();
            Patience.until("it has begun", () -> {
                try (Stream<Path> all = Files.list(sub)) {
                    parts.addAll(all.toList());
                }
                return !parts.isEmpty();
            });
            Files.delete(parts.get(0));
            Files.delete(sub);
            assertEquals(409, client.send("def").receive().status());
            assertEquals(200, client.get("/inbox/old.txt").receive().status());
            client.hangUp();
            web.process().stop();
        }
    }

    /** Returns when the server has written this half. */
    private void sendHalf(HttpClientSocket client) throws Exception {
        client.send(HttpClientSocket.request("PUT", "/inbox/old.txt", "Content-Length: " + 2 * HALF)
                + "x".repeat(HALF));
        Patience.until("half of it is there", () -> {
            List<Path> parts = partsIn(inbox);
            return parts.size() == 1 && Files.size(parts.get(0)) == HALF;
        });
    }

    private static List<Path> partsIn(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.getFileName().toString().startsWith(".put-")).toList();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void largeContentMayTakeItsTimeAsLongAsItComesOn(WebDriver driver) throws Exception {
        byte[] content = Arrays.copyOf(bytes, 1_000_000);
        Files.write(upload, content);
        try (WebSample web = serve(driver, "--request-timeout", "0.5")) {
            // A second, and 64 KiB come in a fraction of the time limit.
            assertEquals("204", web.status("/inbox/old.txt", "--upload-file", upload.toString(), "--limit-rate", "1M",
                    "--header", "Expect:"));
            assertArrayEquals(content, web.curl("/inbox/old.txt").output());
            web.stop();
        }
    }
}
