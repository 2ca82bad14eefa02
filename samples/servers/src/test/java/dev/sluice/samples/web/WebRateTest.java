package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.ProcessFigures;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.io.FileIo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections whose replies are limited to a rate do not delay other connections. */
@EnabledOnOs(OS.LINUX)
class WebRateTest {

    private static final int RATE = 200_000;

    private final byte[] large = RandomBytes.of(41, RATE / 2);

    @TempDir
    private Path root;

    @BeforeEach
    void fill() throws Exception {
        Files.write(root.resolve("large.bin"), large);
        Files.writeString(root.resolve("small.txt"), "small");
        Files.writeString(root.resolve("page.txt"), "a line of text\n".repeat(40_000));
    }

    private WebSample serve(WebDriver driver, FileIo way, int rate) throws Exception {
        return WebSample.serve(root, driver, "--rate", String.valueOf(rate), "--file-io",
                way.name().toLowerCase(Locale.ROOT));
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void takesItsTimeWhicheverWayItGoes(WebDriver driver) throws Exception {
        for (FileIo way : driver.fileIo()) {
            try (WebSample web = serve(driver, way, RATE); HttpClientSocket slow = web.connect();
                    HttpClientSocket other = web.connect()) {
                long begin = System.nanoTime();
                slow.get("/large.bin").receiveHead();
                for (int i = 0; i < 5; i++) {
                    assertEquals("small", new String(other.get("/small.txt").receive().content(), US_ASCII));
                }
                assertArrayEquals(large, slow.input().readNBytes(large.length));
                long tenths = Duration.ofNanos(System.nanoTime() - begin).toMillis() / 100;
                // All but what may go at once.
                assertTrue(tenths >= 4, () -> way + " took " + tenths + " tenths of a second");
                assertEquals("small", new String(slow.get("/small.txt").receive().content(), US_ASCII));
                web.process().stop();
                assertEquals("", web.process().errors().text());
            }
        }
    }

    /** What is made in memory, here by compressing, goes in shares as well, and so does one reply after the other. */
    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void memoryAndPipelinedRepliesArriveWhole(WebDriver driver) throws Exception {
        try (WebSample web = serve(driver, FileIo.TRANSMIT, 10_000); HttpClientSocket client = web.connect()) {
            String ask = HttpClientSocket.request("GET", "/page.txt", "Accept-Encoding: gzip")
                    + HttpClientSocket.request("GET", "/small.txt");
            client.send(ask);
            byte[] first = client.receive().content();
            assertEquals("small", new String(client.receive().content(), US_ASCII));
            client.send(ask);
            assertArrayEquals(first, client.receive().content());
            assertEquals("small", new String(client.receive().content(), US_ASCII));
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void aResetDuringAPauseLeavesNothingBehind(WebDriver driver) throws Exception {
        try (WebSample web = serve(driver, FileIo.TRANSMIT, RATE / 10)) {
            web.address();
            ProcessFigures figures = web.process().figures();
            long before = figures.openSockets();
            for (int i = 0; i < 20; i++) {
                try (HttpClientSocket client = web.connect()) {
                    client.get("/large.bin").input().read();
                    client.socket().setSoLinger(true, 0);
                }
            }
            Patience.until("all connections are closed", () -> figures.openSockets() == before);
            web.process().stop();
            assertEquals("", web.process().errors().text());
        }
    }
}
