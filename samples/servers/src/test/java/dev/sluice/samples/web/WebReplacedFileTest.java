package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Readers while a file is replaced again and again: each gets one version, whole, and none that is older than what had
 * been confirmed when it asked.
 */
@EnabledOnOs(OS.LINUX)
class WebReplacedFileTest {

    private static final int VERSIONS = Depth.times(10, 10, 60);
    private static final int DIGITS = 8;

    @TempDir
    private Path root;

    private final AtomicInteger confirmed = new AtomicInteger();
    private final AtomicBoolean done = new AtomicBoolean();

    private static String version(int number, int length) {
        return String.format("%0" + DIGITS + "d", number).repeat(length / DIGITS);
    }

    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void shortOne(WebDriver driver) throws Exception {
        replace(driver, DIGITS);
    }

    /** More than a socket takes at once. */
    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void longOne(WebDriver driver) throws Exception {
        replace(driver, 1_000_000);
    }

    private void replace(WebDriver driver, int length) throws Exception {
        Path inbox = Files.createDirectory(root.resolve("inbox"));
        Files.writeString(inbox.resolve("index.html"), version(0, length));
        String[] threads = driver.hasThreads() ? new String[] {"--put", "/inbox", "--threads", "4"}
                : new String[] {"--put", "/inbox"};
        try (WebSample web = WebSample.serve(root, driver, threads)) {
            List<Background<Integer>> readers = new ArrayList<>();
            for (String path : List.of("/inbox/", "/inbox/index.html", "/inbox/", "/inbox/index.html")) {
                readers.add(Background.run(() -> read(web, path, length)));
            }
            try (HttpClientSocket writer = web.connect()) {
                for (int number = 1; number <= VERSIONS; number++) {
                    writer.send(HttpClientSocket.request("PUT", "/inbox/index.html", "Content-Length: " + length)
                            + version(number, length));
                    assertEquals(204, writer.receive().status());
                    confirmed.set(number);
                }
            } finally {
                done.set(true);
            }
            for (Background<Integer> each : readers) {
                assertTrue(each.result() > 0, "a reader that has read nothing");
            }
            web.stop();
        }
    }

    private int read(WebSample web, String path, int length) throws Exception {
        int count = 0;
        try (HttpClientSocket client = web.connect()) {
            for (; count == 0 || !done.get(); count++) {
                int minimum = confirmed.get();
                HttpClientSocket.Received reply = client.get(path).receive();
                assertEquals(200, reply.status(), reply.head());
                String text = new String(reply.content(), US_ASCII);
                int number = Integer.parseInt(text.substring(0, DIGITS));
                assertTrue(text.equals(version(number, length)), () -> path + " is torn: begins as " + number);
                assertTrue(number >= minimum, () -> path + ": " + number + " although " + minimum + " was confirmed");
            }
        }
        return count;
    }
}
