package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files with less in them than the system says, as if they were cut between the look at them and the read. Those of
 * Linux about itself have a page, and only some octets come of it.
 */
@EnabledOnOs(OS.LINUX)
class WebShortFileTest {

    private static final Path ROOT = Path.of("/sys/kernel");
    private static final String SHORT = "fscaps";

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void repliesBeforeItArrive(WebDriver driver) throws Exception {
        assumeTrue(Files.isReadable(ROOT.resolve(SHORT)), "Linux tells nothing about itself here");
        try (WebSample web = WebSample.serve(ROOT, driver); HttpClientSocket client = web.connect()) {
            client.send(HttpClientSocket.request("GET", "/nowhere") + HttpClientSocket.request("GET", "/nobody")
                    + HttpClientSocket.request("GET", "/" + SHORT));
            assertEquals(404, client.receive().status());
            assertEquals(404, client.receive().status());
            long announced = Files.size(ROOT.resolve(SHORT));
            long received = client.input().readAllBytes().length;
            assertTrue(received < announced, received + " octets");
            client.hangUp();
            assertEquals("404", web.status("/nowhere"));
            web.process().errors().awaitLine("complaint", line -> line.contains("has been cut"));
            web.process().stop();
        }
    }
}
