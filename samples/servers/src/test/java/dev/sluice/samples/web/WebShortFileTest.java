package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
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
    private static final int SMALL_BUFFER = 8 * 1024;
    private static final int CLIENTS = Depth.current() == Depth.VERIFY ? 10 : 20;
    /** About 32 KiB of them: what is held back at most, so that one of the clients ends with a part of them. */
    private static final int MORE_REPLIES = 200;

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void repliesBeforeItArrive(WebDriver driver) throws Exception {
        assumeTrue(Files.isReadable(ROOT.resolve(SHORT)), "Linux tells nothing about itself here");
        try (WebSample web = WebSample.serve(ROOT, driver, "--idle-timeout", "600");
                HttpClientSocket client = web.connect()) {
            client.send(HttpClientSocket.request("GET", "/nowhere") + HttpClientSocket.request("GET", "/noone")
                    + HttpClientSocket.request("GET", "/" + SHORT));
            assertEquals(404, client.receive().status());
            assertEquals(404, client.receive().status());
            if (driver.isStaged()) {
                // It has read a file before it answers.
                assertEquals(503, client.receive().status());
            } else {
                long announced = Files.size(ROOT.resolve(SHORT));
                long received = client.input().readAllBytes().length;
                assertTrue(received < announced, received + " octets");
            }
            client.hangUp();
            assertEquals("404", web.status("/nowhere"));
            web.process().errors().awaitLine("complaint", line -> line.contains("has been truncated"));
            web.process().stop();
        }
    }

    /**
     * The replies before it wait in a full socket. How many of them fill it is unknown: so each client asks for a few
     * more than the one before, and for some of them it is full in the midst of the last replies.
     */
    @ParameterizedTest
    @MethodSource
    void clientThatDoesNotReadIsClosedInTime(WebDriver driver) throws Exception {
        assumeTrue(Files.isReadable(ROOT.resolve(SHORT)), "Linux tells nothing about itself here");
        List<HttpClientSocket> clients = new ArrayList<>();
        try (WebSample web = WebSample.serve(ROOT, driver, "--idle-timeout", "0.5",
                "--request-timeout", "0.5")) {
            web.address();
            long before = web.process().figures().openSockets();
            for (int i = 0; i < CLIENTS; i++) {
                HttpClientSocket client = new HttpClientSocket(web.address(), SMALL_BUFFER);
                clients.add(client);
                String requests = HttpClientSocket.request("GET", "/nowhere").repeat(i * MORE_REPLIES)
                        + HttpClientSocket.request("GET", "/" + SHORT);
                // Beside the others: the server takes not all of them from a client that does not read.
                Background.run(() -> client.send(requests));
            }
            Patience.until("all connections are closed",
                    () -> web.process().figures().openSockets() == before + CLIENTS);
            for (HttpClientSocket client : clients) {
                client.hangUp();
            }
            web.process().stop();
        }
    }

    static Stream<WebDriver> clientThatDoesNotReadIsClosedInTime(TestInfo test) {
        return Depth.some(test, Stream.concat(Stream.of(ConcurrencyStrategy.REACTOR_PER_THREAD,
                ConcurrencyStrategy.PROACTOR_PER_THREAD, ConcurrencyStrategy.LEADER_FOLLOWERS,
                ConcurrencyStrategy.THREAD_PER_CONNECTION, ConcurrencyStrategy.VIRTUAL_THREAD_PER_CONNECTION)
                .map(WebDriver::of), WebDriver.haboobs()), 2);
    }
}
