package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.TcpState;
import dev.sluice.samples.io.IoStrategy;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that take their time. */
@EnabledOnOs(OS.LINUX)
class WebTimeoutTest {

    private static final int SLOW_CLIENTS = Depth.times(100, 200, 1_000);
    private static final int UNREAD_CLIENTS = 20;
    private static final int SLOW_READS = 40;
    private static final int LITTLE_SPACE = 8 * 1024;
    private static final int REPLY = 10_000;
    /** Replies that a server sends in one piece. */
    private static final int HELD_BACK_TOGETHER = 3;
    private static final long BETWEEN_OCTETS = 100_000_000L;
    private static final String REQUEST = "GET /index.html HTTP/1.1\r\nHost: a.host.with.a.name.to.spell.out\r\n";

    @TempDir
    private Path root;

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void closesIdleConnectionsInSilence(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.start(driver, "--idle-timeout", "0.2");
                HttpClientSocket fresh = web.connect(); HttpClientSocket used = web.connect()) {
            assertEquals(200, used.get("/").receive().status());
            fresh.expectEnd();
            used.expectEnd();
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    @Tag(Depth.IN_QUICK)
    void repliesThatAClientIsLate(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.start(driver, "--request-timeout", "0.3");
                HttpClientSocket inLine = web.connect(); HttpClientSocket inContent = web.connect();
                HttpClientSocket second = web.connect()) {
            inLine.send("GE");
            inContent.get("/", "Content-Length: 10").send("half");
            // The clock of a pipelined request begins when it does.
            second.get("/").send("GET /late");
            assertEquals(200, second.receive().status());
            for (HttpClientSocket late : new HttpClientSocket[] {inLine, inContent, second}) {
                HttpClientSocket.Received reply = late.receive();
                assertEquals(408, reply.status());
                assertTrue(reply.closes());
                late.expectEnd();
                late.hangUp();
            }
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void cutsAClientThatTakesNothing(WebDriver driver) throws Exception {
        Files.write(root.resolve("large"), new byte[16 << 20]);
        try (WebSample web = WebSample.serve(root, driver, "--idle-timeout", "0.2", "--access-log", "-");
                HttpClientSocket client = new HttpClientSocket(web.address(), 8 * 1024)) {
            client.get("/large").receiveHead();
            String line = web.process().output().awaitLine("line in the log", each -> each.contains("GET /large"));
            long sent = Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
            assertTrue(sent > 0 && sent < 16 << 20, line);
            web.stop();
        }
    }

    /** The buffers between them hold more than it reads in many times the idle timeout. */
    @ParameterizedTest
    @MethodSource(WebDriver.TWO)
    void leavesAClientAloneThatReadsSlowly(WebDriver driver) throws Exception {
        int size = 16 << 20;
        Files.write(root.resolve("large"), new byte[size]);
        try (WebSample web = WebSample.serve(root, driver, "--idle-timeout", "1");
                HttpClientSocket client = new HttpClientSocket(web.address(), 8 * 1024)) {
            InputStream in = client.send("GET /large HTTP/1.0\r\n\r\n").socket().getInputStream();
            long received = 0;
            for (int i = 0; i < SLOW_READS; i++) {
                received += in.readNBytes(4096).length;
                LockSupport.parkNanos(BETWEEN_OCTETS);
            }
            for (int count = 0; count >= 0; received += count < 0 ? 0 : count) {
                count = in.read(new byte[64 * 1024]);
            }
            assertTrue(received > size, received + " bytes");
            web.stop();
        }
    }

    /**
     * Each client has begun a request behind those whose replies it does not read. That request may take its time only
     * as long as the kernel has taken all replies: if some wait in the server, the client is to read them first. Each
     * client asks for some more than the one before, and so for one of them it is the last ones that wait, those in
     * front of what has been begun.
     */
    @ParameterizedTest
    @MethodSource
    void cutsAClientThatReadsNothingAndHasBegunARequest(WebDriver driver) throws Exception {
        Files.write(root.resolve("reply"), new byte[REPLY]);
        List<HttpClientSocket> clients = new ArrayList<>();
        try (WebSample web = WebSample.serve(root, driver, "--idle-timeout", "0.6", "--request-timeout", "600")) {
            int size;
            try (HttpClientSocket client = web.connect()) {
                size = client.get("/reply").receive().head().length() + REPLY;
            }
            // The first one leaves behind what the system remembers of connections to this address.
            takenUnread(web);
            long whole = takenUnread(web) / (size * HELD_BACK_TOGETHER);
            Map<Integer, Long> expected = new HashMap<>();
            for (int i = 0; i < UNREAD_CLIENTS; i++) {
                HttpClientSocket client = new HttpClientSocket(web.address(), LITTLE_SPACE);
                clients.add(client);
                int requests = (int) (whole - UNREAD_CLIENTS / 2 + i) * HELD_BACK_TOGETHER;
                client.send(HttpClientSocket.request("GET", "/reply").repeat(requests) + "GET /reply");
                expected.put(client.socket().getLocalPort(), (long) requests * size);
            }
            int port = web.address().getPort();
            Map<Integer, Long> waiting = new HashMap<>();
            Patience.until(() -> "not cut, although replies wait in the server: " + waiting + " of " + expected, () -> {
                waiting.clear();
                waiting.putAll(waiting(port, expected));
                return waiting.isEmpty();
            });
            int open = TcpState.queuedFrom(port).size();
            assertTrue(open > 0 && open < UNREAD_CLIENTS, () -> "of " + UNREAD_CLIENTS + " are left: " + open);
            for (HttpClientSocket each : clients) {
                each.hangUp();
            }
            web.process().stop();
        } finally {
            for (HttpClientSocket each : clients) {
                each.hangUp();
            }
        }
    }

    static Stream<WebDriver> cutsAClientThatReadsNothingAndHasBegunARequest(TestInfo test) {
        return Depth.first(test, Stream.of(IoStrategy.PROACTIVE, IoStrategy.SYNCHRONOUS, IoStrategy.REACTIVE)
                .map(WebDriver::of), 1);
    }

    /**
     * {@return the number of bytes of replies that the kernel takes that are not read, as seen until the client is cut}
     */
    private static long takenUnread(WebSample web) throws Exception {
        long[] maximum = {0};
        // On a busy machine a client may be cut before the test looks.
        Patience.until("replies were queued", () -> {
            try (HttpClientSocket client = new HttpClientSocket(web.address(), LITTLE_SPACE)) {
                client.send(HttpClientSocket.request("GET", "/reply").repeat(1_000));
                Patience.until("it is cut", () -> {
                    Long queued = TcpState.queuedFrom(web.address().getPort()).get(client.socket().getLocalPort());
                    maximum[0] = Math.max(maximum[0], queued == null ? 0 : queued);
                    return queued == null;
                });
            }
            return maximum[0] > 0;
        });
        return maximum[0];
    }

    /** {@return open connections of which the kernel has not taken all that is expected, by the client's port} */
    private static Map<Integer, Long> waiting(int port, Map<Integer, Long> expected) throws IOException {
        Map<Integer, Long> queued = TcpState.queuedFrom(port);
        queued.entrySet().removeIf(each -> each.getValue().equals(expected.get(each.getKey())));
        return queued;
    }

    /** Slow loris: connections that send an octet now and then, to hold as many of them as there can be. */
    @ParameterizedTest
    @MethodSource(WebDriver.WAYS)
    void servesOthersWhileManyDawdle(WebDriver driver) throws Exception {
        List<HttpClientSocket> slow = new ArrayList<>();
        try (WebSample web = WebSample.start(driver, "--request-timeout", "0.6")) {
            web.address();
            long before = web.process().figures().openSockets();
            for (int i = 0; i < SLOW_CLIENTS; i++) {
                slow.add(web.connect());
            }
            List<HttpClientSocket> dawdling = new ArrayList<>(slow);
            int[] octets = new int[1];
            try (HttpClientSocket client = web.connect()) {
                Patience.until(() -> dawdling.size() + " of the slow clients are answered", () -> {
                    long next = System.nanoTime() + BETWEEN_OCTETS;
                    dawdling.removeIf(each -> !sendsOneMore(each, octets[0]));
                    octets[0]++;
                    do {
                        HttpClientSocket.Received reply = client.get("/").receive();
                        assertEquals(200, reply.status());
                        assertTrue(new String(reply.content(), US_ASCII).contains("came through Sluice"));
                        LockSupport.parkNanos(BETWEEN_OCTETS / 20);
                    } while (!dawdling.isEmpty() && System.nanoTime() - next < 0);
                    return dawdling.isEmpty();
                });
                assertTrue(octets[0] > 1, "the slow clients were not even given the time for a second octet");
            }
            for (HttpClientSocket each : slow) {
                assertEquals(408, each.receive().status());
                each.expectEnd();
                each.hangUp();
            }
            Patience.until("their sockets are closed", () -> web.process().figures().openSockets() == before);
            web.stop();
        } finally {
            for (HttpClientSocket each : slow) {
                each.hangUp();
            }
        }
    }

    /** Tells whether the client still waits for an answer. */
    private static boolean sendsOneMore(HttpClientSocket client, int octet) {
        try {
            if (client.input().available() > 0) {
                return false;
            }
            client.send(REQUEST.substring(octet, octet + 1));
            return true;
        } catch (IOException e) {
            throw new AssertionError("the server did not drain what came after its answer", e);
        }
    }
}
