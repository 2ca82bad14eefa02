package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.SwappedFolder;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** While a folder below the root is swapped for a link, nothing outside is read, and nothing is written there. */
@EnabledOnOs(OS.LINUX)
class WebSwappedFolderTest {

    private static final String FOLDER = "/inbox/" + SwappedFolder.NAME + "/";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void nothingOutsideIsReadOrWritten(WebDriver driver) throws Exception {
        Path root = Files.createDirectories(directory.resolve("root"));
        Path inbox = Files.createDirectories(root.resolve("inbox"));
        int enough = Depth.times(100, 200, 20_000);
        try (WebSample web = WebSample.serve(root, driver, "--put", "/inbox", "--listing", "--cache", "none");
                SwappedFolder folder = new SwappedFolder(inbox, directory.resolve("outside"));
                HttpClientSocket client = web.connect()) {
            int found = 0;
            int absent = 0;
            long end = System.nanoTime() + Patience.LIMIT.toNanos();
            for (int i = 0; (found < enough || absent < enough) && !folder.hasEnded(); i++) {
                assertTrue(System.nanoTime() < end, found + " found, " + absent + " absent");
                String request = HttpClientSocket.request("PUT", FOLDER + "new-" + i, "Content-Length: 5");
                int put = client.send(request + "hello").receive().status();
                assertTrue(put == 201 || put == 409, "PUT: " + put);
                HttpClientSocket.Received whole = client.get(FOLDER + SwappedFolder.FILE).receive();
                assertNotEquals(SwappedFolder.OUTSIDE, text(whole));
                HttpClientSocket.Received part = client.get(FOLDER + SwappedFolder.FILE, "Range: bytes=1-3").receive();
                assertNotEquals(SwappedFolder.OUTSIDE.substring(1, 4), text(part));
                HttpClientSocket.Received list = client.get(FOLDER).receive();
                assertFalse(text(list).contains(SwappedFolder.OUTSIDE_ALONE), text(list));
                for (int status : new int[] {put, whole.status(), part.status(), list.status()}) {
                    found += status < 300 ? 1 : 0;
                    absent += status >= 400 ? 1 : 0;
                }
            }
            client.hangUp();
            web.process().stop();
            assertEquals(List.of(), folder.strangers());
        }
        try (Stream<Path> all = Files.walk(directory)) {
            assertEquals(0, all.filter(each -> each.getFileName().toString().startsWith(".")).count(), "left over");
        }
    }

    private static String text(HttpClientSocket.Received reply) {
        return new String(reply.content(), UTF_8);
    }
}
