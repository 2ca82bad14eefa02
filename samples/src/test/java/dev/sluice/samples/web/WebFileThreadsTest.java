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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which threads make the calls that may wait for the file system: none that other connections wait for. */
@EnabledOnOs(OS.LINUX)
class WebFileThreadsTest {

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

    @ParameterizedTest
    @EnumSource(value = ConcurrencyStrategy.class, names = {"REACTOR_PER_THREAD", "PROACTOR_PER_THREAD",
        "CONCURRENT_PROACTOR"})
    void noLoopCallsTheFileSystem(ConcurrencyStrategy strategy) throws Exception {
        try (WebSample web = WebSample.serve(root, strategy, "--listing", "--put", "/inbox");
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

    /** Others are served while the disk lets an upload wait, and the upload's own connection goes on afterwards. */
    @ParameterizedTest
    @EnumSource(value = ConcurrencyStrategy.class, names = {"REACTOR_PER_THREAD", "PROACTOR_PER_THREAD"})
    void otherConnectionsAreServedWhileTheDiskWaits(ConcurrencyStrategy strategy) throws Exception {
        try (WebSample web = WebSample.serve(root, strategy, "--threads", "1", "--put", "/inbox");
                HttpClientSocket putting = web.connect(); HttpClientSocket other = web.connect()) {
            calls.hold("fsync");
            putting.send(HttpClientSocket.request("PUT", "/inbox/new", "Content-Length: 3") + "new"
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
    @EnumSource(value = ConcurrencyStrategy.class, names = {"REACTOR_PER_THREAD", "PROACTOR_PER_THREAD"})
    void aConnectionThatEndsMeanwhileLeavesNothingBehind(ConcurrencyStrategy strategy) throws Exception {
        try (WebSample web = WebSample.serve(root, strategy, "--put", "/inbox")) {
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
