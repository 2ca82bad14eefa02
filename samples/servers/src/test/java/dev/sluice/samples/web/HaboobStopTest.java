package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** SIGTERM finds work in the stages of Haboob, and all of it is answered. */
@EnabledOnOs(OS.LINUX)
class HaboobStopTest {

    private static final int CLIENTS = 12;
    private static final int PAGE = 8 * 1024;
    private static final int SMALL_BUFFER = 8 * 1024;
    /** Larger than a quarter of the page cache, so that it goes piece by piece through the file stage. */
    private static final int LARGE = 12_000_000;

    @TempDir
    private Path root;

    static Stream<WebDriver> haboobs(TestInfo test) {
        return Depth.some(test, WebDriver.haboobs(), 1);
    }

    @ParameterizedTest
    @MethodSource("haboobs")
    void answersMissesAndWhatWaitsForTheBottleneckAndASlowReader(WebDriver haboob) throws Exception {
        byte[] small = RandomBytes.of(1, 50_000);
        byte[] large = RandomBytes.of(2, LARGE);
        for (int i = 0; i < CLIENTS; i++) {
            Files.write(root.resolve(Integer.toString(i)), small);
        }
        Files.write(root.resolve("large"), large);
        List<HttpClientSocket> misses = new ArrayList<>();
        List<HttpClientSocket> waiting = new ArrayList<>();
        try (SampleProcess process = SampleCommand.of(haboob.command("--root", root.toString(), "--page-cache", "16384",
                "--shedding", "none", "--cost", "30")).startProcess(); WebSample web = WebSample.of(process);
                HttpClientSocket slow = new HttpClientSocket(web.address(), SMALL_BUFFER)) {
            for (int i = 0; i < CLIENTS; i++) {
                misses.add(web.connect());
                waiting.add(web.connect());
                // So that each is known to the server.
                assertEquals(404, misses.get(i).get("/none").receive().status());
                assertEquals(404, waiting.get(i).get("/none").receive().status());
            }
            String head = slow.get("/large").receiveHead();
            assertTrue(head.startsWith("HTTP/1.1 200 "), head);
            // What it finds first when it goes on is all of this, and that it shall end.
            process.suspend();
            for (int i = 0; i < CLIENTS; i++) {
                misses.get(i).get("/" + i);
                waiting.get(i).get("/bottleneck");
            }
            web.process().terminate();
            process.resume();
            for (int i = 0; i < CLIENTS; i++) {
                HttpClientSocket.Received reply = misses.get(i).receive();
                assertEquals(200, reply.status(), reply.head());
                assertArrayEquals(small, reply.content());
                reply = waiting.get(i).receive();
                assertEquals(200, reply.status(), reply.head());
                assertEquals(PAGE, reply.content().length);
            }
            assertArrayEquals(large, slow.hurry().readNBytes(LARGE));
            slow.expectEnd();
            slow.hangUp();
            for (int i = 0; i < CLIENTS; i++) {
                misses.get(i).expectEnd();
                misses.get(i).hangUp();
                waiting.get(i).expectEnd();
                waiting.get(i).hangUp();
            }
            assertEquals(0, web.process().awaitExit());
            assertEquals("", web.process().errors().text());
        }
    }
}
