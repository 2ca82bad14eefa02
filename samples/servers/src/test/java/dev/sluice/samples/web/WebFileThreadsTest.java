package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.FileCalls;
import dev.sluice.samples.Patience;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which threads make the calls that may wait for the file system: none that other connections wait for. */
@EnabledOnOs(OS.LINUX)
class WebFileThreadsTest {

    private static final String HALF = HttpClientSocket.request("PUT", "/inbox/new", "Content-Length: 200000")
            + "x".repeat(100_000);

    @TempDir
    private Path root;

    private FileCalls calls;

    @BeforeEach
    void layOut() throws IOException {
        Files.createDirectories(root.resolve("inbox"));
        Files.writeString(root.resolve("page.html"), "<p>".repeat(1000));
        Files.writeString(root.resolve("other.html"), "other");
        Files.createSymbolicLink(root.resolve("link.html"), Path.of("page.html"));
        calls = FileCalls.install();
    }

    @AfterEach
    void useRealBinding() {
        calls.close();
    }

    static Stream<WebDriver> drivers() {
        return Stream.concat(Stream.of(ConcurrencyStrategy.REACTOR_PER_THREAD, ConcurrencyStrategy.PROACTOR_PER_THREAD,
                ConcurrencyStrategy.CONCURRENT_PROACTOR).map(WebDriver::of), WebDriver.haboobs());
    }

    static Stream<WebDriver> two() {
        return Stream.of(WebDriver.of(ConcurrencyStrategy.REACTOR_PER_THREAD),
                WebDriver.of(ConcurrencyStrategy.PROACTOR_PER_THREAD));
    }

    static Stream<WebDriver> twoAndHaboob() {
        return Stream.concat(two(), WebDriver.haboobs().limit(1));
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void noLoopCallsTheFileSystem(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--listing", "--put", "/inbox");
                HttpClientSocket client = web.connect()) {
            web.address();
            calls.forget();
            for (String target : List.of("/page.html", "/link.html", "/none", "/inbox", "/inbox/", "/page.html")) {
                client.get(target, "Accept-Encoding: gzip, br").receive();
            }
            String large = "x".repeat(300_000);
            for (String target : List.of("/inbox/new", "/inbox/new", "/inbox/none/new", "/none")) {
                String content = target.equals("/inbox/new") ? large : "new";
                String head = HttpClientSocket.request("PUT", target, "Content-Length: " + content.length());
                client.send(head + content).receive();
            }
            assertEquals(300_000, Files.size(root.resolve("inbox/new")));
            // Those that are kept are answered by the loop, and need no calls for it.
            client.get("/page.html").receive();
            assertEquals(List.of(), calls.onLoops());
        }
    }

    /** The part of an upload that does not come to its end: the client leaves, or sends too much. */
    @ParameterizedTest
    @MethodSource("drivers")
    void noLoopDeletesWhatHasNotComeToItsEnd(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--put", "/inbox", "--max-put", "300000")) {
            web.address();
            calls.forget();
            try (HttpClientSocket leaving = web.connect()) {
                leaving.send(HALF);
                awaitParts(1);
            }
            awaitParts(0);
            String chunk = "186a0\r\n" + "x".repeat(100_000) + "\r\n";
            try (HttpClientSocket large = web.connect()) {
                large.send(HttpClientSocket.request("PUT", "/inbox/new", "Transfer-Encoding: chunked")
                        + chunk.repeat(2) + "ffffff\r\n");
                assertEquals(413, large.receive().status());
            }
            awaitParts(0);
            assertEquals(List.of(), calls.onLoops());
        }
    }

    @ParameterizedTest
    @MethodSource("twoAndHaboob")
    void noLoopDeletesWhatIsLate(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--put", "/inbox", "--request-timeout", "0.3")) {
            web.address();
            calls.forget();
            try (HttpClientSocket late = web.connect()) {
                assertEquals(408, late.send(HALF).receive().status());
            }
            awaitParts(0);
            assertEquals(List.of(), calls.onLoops());
        }
    }

    private void awaitParts(int count) throws Exception {
        Patience.until(count + " parts", () -> {
            try (Stream<Path> all = Files.list(root.resolve("inbox"))) {
                return all.count() == count;
            }
        });
    }

    /** Others are served while the disk lets an upload wait, and the upload's own connection goes on afterwards. */
    @ParameterizedTest
    @MethodSource("twoAndHaboob")
    void otherConnectionsAreServedWhileTheDiskWaits(WebDriver driver) throws Exception {
        serveOthersDuring("fsync", driver, "Content-Length: 3", "new");
    }

    /** So does one that is not complete: its content is written while it comes. */
    @ParameterizedTest
    @MethodSource("twoAndHaboob")
    void otherConnectionsAreServedWhileContentIsWritten(WebDriver driver) throws Exception {
        serveOthersDuring("pwrite", driver, "Content-Length: 200000", "x".repeat(200_000));
    }

    private void serveOthersDuring(String call, WebDriver driver, String length, String content) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--threads", "1", "--put", "/inbox");
                HttpClientSocket putting = web.connect(); HttpClientSocket other = web.connect()) {
            calls.hold(call);
            putting.send(HttpClientSocket.request("PUT", "/inbox/new", length) + content
                    + HttpClientSocket.request("GET", "/other.html"));
            for (int i = 0; i < 20; i++) {
                assertEquals(200, other.get(i % 2 == 0 ? "/page.html" : "/other.html").receive().status());
            }
            assertTrue(Files.notExists(root.resolve("inbox/new")));
            calls.release();
            assertEquals(201, putting.receive().status());
            assertArrayEquals("other".getBytes(StandardCharsets.US_ASCII), putting.receive().content());
            putting.hangUp();
            other.hangUp();
            web.stop();
        }
    }

    /** A client that has gone, and a stop, while the disk does not answer: the upload is complete, and kept. */
    @ParameterizedTest
    @MethodSource("two")
    void aConnectionThatEndsMeanwhileLeavesNothingBehind(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--put", "/inbox")) {
            calls.hold("fsync");
            try (HttpClientSocket putting = web.connect()) {
                putting.send(HttpClientSocket.request("PUT", "/inbox/new", "Content-Length: 3") + "new");
                Patience.until("no file thread", () -> Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread -> thread.getName().equals(FileCalls.FILE_THREAD)));
            }
            Background<Void> stopping = Background.run(() -> {
                web.process().stop();
                return null;
            });
            calls.release();
            stopping.result();
            assertEquals("new", Files.readString(root.resolve("inbox/new")));
            try (var all = Files.list(root.resolve("inbox"))) {
                assertEquals(1, all.count());
            }
        }
    }
}
