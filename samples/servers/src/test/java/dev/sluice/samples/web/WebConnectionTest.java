package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.SampleHosts;
import dev.sluice.samples.Setups;
import dev.sluice.samples.io.FileIo;
import dev.sluice.samples.web.HttpClientSocket.Received;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What well-behaved clients do not do, and what they cannot observe. */
@EnabledOnOs(OS.LINUX)
class WebConnectionTest {

    /** Few enough to arrive in one piece, and too many for their replies to be sent in one. */
    private static final int TOGETHER = 50;
    private static final int PIPELINED = 2_000;
    private static final String SMALL = "x".repeat(2_000);
    private static final String MORE_THAN_SMALL = "x".repeat(40_000);

    @AutoClose
    private static final SampleHosts HOSTS = new SampleHosts();

    private final byte[] large = RandomBytes.of(22, 8_000_000);

    @TempDir
    private Path root;

    @BeforeEach
    void fill() throws IOException {
        Files.writeString(root.resolve("one"), "1");
        Files.writeString(root.resolve("small"), SMALL);
        Files.writeString(root.resolve("two"), MORE_THAN_SMALL);
        Files.write(root.resolve("large"), large);
    }

    @ParameterizedTest
    @MethodSource(WebDriver.SETUPS)
    void runsEverywhere(WebDriver driver, Setups.Setup setup) throws Exception {
        // Another Java has the same ways of a file, and calls the system for none of them as for another.
        FileIo[] ways = setup.isBest() || Depth.current() != Depth.VERIFY ? driver.fileIo()
                : new FileIo[] {driver.fileIo()[0]};
        for (FileIo way : ways) {
            try (WebSample web = WebSample.of(setup.start(HOSTS, driver.command("--root", root.toString(), "--file-io",
                    way.toString()))); HttpClientSocket client = web.connect()) {
                assertArrayEquals(large, client.get("/large").receive().content());
                assertEquals("1", new String(client.get("/one").receive().content(), UTF_8));
                client.hangUp();
                web.stop();
            }
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.TRIGGERS)
    @Tag(Depth.IN_QUICK)
    void answersPipelinedRequestsInOrder(WebDriver driver, String demultiplexer) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--demultiplexer", demultiplexer);
                HttpClientSocket client = web.connect()) {
            // Sent while nothing is read: so much does not fit into the sockets, and the server has to hold back.
            Background<HttpClientSocket> sending = Background.run(() -> {
                for (int i = 0; i < PIPELINED; i++) {
                    client.get(i % 2 == 0 ? "/one" : i % 3 == 0 ? "/nowhere" : "/two");
                }
                return client.get("/one", "Connection: close");
            });
            for (int i = 0; i < PIPELINED; i++) {
                Received reply = client.receive();
                if (i % 2 == 1 && i % 3 == 0) {
                    assertEquals(404, reply.status());
                } else {
                    assertEquals(i % 2 == 0 ? "1" : MORE_THAN_SMALL, new String(reply.content(), UTF_8));
                }
            }
            assertTrue(client.receive().closes());
            client.expectEnd();
            sending.result().hangUp();
            web.stop();
        }
    }

    /** The replies leave together as far as they fit, and the end of the client's stream comes with the requests. */
    @ParameterizedTest
    @MethodSource(WebDriver.TRIGGERS)
    void answersAllThatCameBeforeTheEndOfTheStream(WebDriver driver, String demultiplexer) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--demultiplexer", demultiplexer);
                HttpClientSocket client = web.connect()) {
            StringBuilder requests = new StringBuilder();
            for (int i = 0; i < TOGETHER; i++) {
                requests.append(HttpClientSocket.request("GET",
                        i == TOGETHER / 2 ? "/large" : i % 2 == 0 ? "/one" : "/small"));
                requests.append(HttpClientSocket.request("GET", "/nowhere"));
            }
            client.send(requests.toString());
            client.socket().shutdownOutput();
            for (int i = 0; i < TOGETHER; i++) {
                byte[] content = client.receive().content();
                if (i == TOGETHER / 2) {
                    assertArrayEquals(large, content);
                } else {
                    assertEquals(i % 2 == 0 ? "1" : SMALL, new String(content, UTF_8));
                }
                assertEquals(404, client.receive().status());
            }
            client.expectEnd();
            web.stop();
        }
    }

    /** What comes behind the last request is not answered, and costs none before it its reply. */
    @ParameterizedTest
    @MethodSource(WebDriver.TRIGGERS)
    void endsWithTheRequestThatSaysSo(WebDriver driver, String demultiplexer) throws Exception {
        String before = HttpClientSocket.request("GET", "/one") + HttpClientSocket.request("HEAD", "/small")
                + HttpClientSocket.request("GET", "/two");
        Map<String, Integer> last = Map.of(HttpClientSocket.request("GET", "/small", "Connection: close"), 200,
                HttpClientSocket.request("HEAD", "/large", "Connection: close"), 200,
                HttpClientSocket.request("GET", "/nowhere", "Connection: close"), 404, "GET /\r\n\r\n", 400);
        try (WebSample web = WebSample.serve(root, driver, "--demultiplexer", demultiplexer)) {
            for (Map.Entry<String, Integer> each : last.entrySet()) {
                try (HttpClientSocket client = web.connect()) {
                    client.send(before.repeat(TOGETHER) + each.getKey() + before.repeat(TOGETHER));
                    for (int i = 0; i < TOGETHER; i++) {
                        assertEquals("1", new String(client.receive().content(), UTF_8));
                        assertTrue(client.receiveHead().contains("\r\nContent-Length: " + SMALL.length() + "\r\n"));
                        assertEquals(MORE_THAN_SMALL, new String(client.receive().content(), UTF_8));
                    }
                    boolean hasContent = !each.getKey().startsWith("HEAD");
                    Received reply = hasContent ? client.receive() : new Received(client.receiveHead(), new byte[0]);
                    assertEquals(each.getValue(), reply.status(), reply.head());
                    assertTrue(reply.closes(), reply.head());
                    client.expectEnd();
                }
            }
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.TRIGGERS)
    void holdsBackForAClientThatDoesNotRead(WebDriver driver, String demultiplexer) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--demultiplexer", demultiplexer);
                HttpClientSocket slow = new HttpClientSocket(web.address(), 8 * 1024);
                HttpClientSocket other = web.connect()) {
            // In one segment: the second is in the server's hands, too, while the first keeps it waiting.
            slow.send(HttpClientSocket.request("GET", "/large") + HttpClientSocket.request("GET", "/two"));
            for (int i = 0; i < 100; i++) {
                assertEquals("1", new String(other.get("/one").receive().content(), UTF_8));
            }
            assertArrayEquals(large, slow.receive().content());
            assertEquals(MORE_THAN_SMALL, new String(slow.receive().content(), UTF_8));
            slow.hangUp();
            other.hangUp();
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.TRIGGERS)
    void servesOthersBesideAFloodOfRequests(WebDriver driver, String demultiplexer) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--demultiplexer", demultiplexer);
                HttpClientSocket client = web.connect(); HttpClientSocket flooding = web.connect()) {
            // Faster than they can be answered, and the replies are read as fast as they come.
            String flood = HttpClientSocket.request("HEAD", "/one").repeat(1_000);
            AtomicBoolean enough = new AtomicBoolean();
            Background<Void> sending = Background.run(() -> {
                while (!enough.get()) {
                    flooding.send(flood);
                }
                return null;
            });
            AtomicBoolean answered = new AtomicBoolean();
            Background.run(() -> {
                byte[] piece = new byte[1 << 16];
                while (flooding.input().read(piece) > 0) {
                    answered.set(true);
                }
                return null;
            });
            // Each waits behind what the flood has brought into the queues of the stages.
            for (int i = 0; i < (driver.isStaged() ? 2 : 30); i++) {
                assertEquals("1", new String(client.get("/one").receive().content(), UTF_8));
            }
            enough.set(true);
            sending.result();
            Patience.until("the flood is answered", answered::get);
            // A reset, so that the server need not answer all that it has been sent.
            flooding.socket().setSoLinger(true, 0);
            flooding.hangUp();
            client.hangUp();
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.TRIGGERS)
    void answersAClientThatHasEndedItsHalf(WebDriver driver, String demultiplexer) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--demultiplexer", demultiplexer);
                HttpClientSocket client = web.connect()) {
            client.get("/one").get("/large").endOutput();
            assertEquals("1", new String(client.receive().content(), UTF_8));
            assertArrayEquals(large, client.receive().content());
            client.expectEnd();
            client.hangUp();
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void readsARequestInPieces(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver); HttpClientSocket client = web.connect()) {
            for (char octet : "GET /one HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n".toCharArray()) {
                client.send(String.valueOf(octet));
            }
            assertEquals("1", new String(client.receive().content(), UTF_8));
            client.expectEnd();
            client.hangUp();
            web.stop();
        }
    }

    /** Its last octets may wait for the end of the output, which has to follow: the system waits for 200 ms. */
    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void lastReplyArrivesWhole(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver)) {
            web.address();
            for (String path : List.of("/one", "/small", "/two", "/nowhere")) {
                try (HttpClientSocket client = web.connect()) {
                    assertTrue(client.get(path, "Connection: close").receive().closes());
                    client.expectEnd();
                }
            }
            try (HttpClientSocket client = web.connect()) {
                assertArrayEquals(large, client.get("/large", "Connection: close").receive().content());
                client.expectEnd();
            }
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    void letsTheClientContinue(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver); HttpClientSocket client = web.connect()) {
            client.get("/one", "Content-Length: 7", "Expect: 100-continue");
            assertEquals("HTTP/1.1 100 Continue\r\n\r\n", client.receiveHead());
            client.send("content").get("/two");
            assertEquals("1", new String(client.receive().content(), UTF_8));
            assertEquals(MORE_THAN_SMALL, new String(client.receive().content(), UTF_8));
            client.hangUp();
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    @Tag(Depth.IN_QUICK)
    void refusesAndEndsTheConnection(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--max-head", "1000", "--max-content", "10")) {
            assertRefused(431, web, "GET / HTTP/1.1\r\nHost: test\r\nA: " + "a".repeat(1000) + "\r\n\r\n");
            assertRefused(414, web, "GET /" + "a".repeat(1000) + " HTTP/1.1\r\nHost: test\r\n\r\n");
            assertRefused(413, web, "GET / HTTP/1.1\r\nHost: test\r\nContent-Length: 11\r\n\r\n");
            assertRefused(400, web, "GET / HTTP/1.1\r\n\r\n");
            assertRefused(400, web, "nonsense\r\n\r\n");
            assertRefused(505, web, "GET / HTTP/2.0\r\nHost: test\r\n\r\n");
            assertRefused(501, web, "GET / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: gzip, chunked\r\n\r\n");
            assertStatus(501, web, "BREW / HTTP/1.1\r\nHost: test\r\n\r\n");
            assertStatus(405, web, "DELETE / HTTP/1.1\r\nHost: test\r\n\r\n");
            web.stop();
        }
    }

    private static void assertRefused(int status, WebSample web, String request) throws Exception {
        try (HttpClientSocket client = web.connect()) {
            // What was under way when the refusal was sent must not cost the client the reply.
            client.send(request).send("x".repeat(200_000));
            Received reply = client.receive();
            assertEquals(status, reply.status(), reply::head);
            assertTrue(reply.closes(), reply::head);
            client.expectEnd();
        }
    }

    private static void assertStatus(int status, WebSample web, String request) throws Exception {
        try (HttpClientSocket client = web.connect()) {
            assertEquals(status, client.send(request).receive().status());
            assertEquals(404, client.get("/nowhere").receive().status());
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.STRATEGIES)
    @Tag(Depth.IN_QUICK)
    void leavesNoConnectionBehind(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, driver.few())) {
            web.address();
            long before = web.process().figures().openSockets();
            for (int i = 0; i < 300; i++) {
                try (HttpClientSocket client = web.connect()) {
                    client.get(i % 3 == 0 ? "/large" : "/one");
                    if (i % 3 == 1) {
                        client.receive();
                    } else {
                        // A reset, in the middle of the reply.
                        client.socket().setSoLinger(true, 0);
                    }
                }
            }
            Patience.until("all sockets are closed", () -> web.process().figures().openSockets() == before);
            assertEquals(200, fetchOne(web));
            web.stop();
        }
    }

    private static int fetchOne(WebSample web) throws Exception {
        try (HttpClientSocket client = web.connect()) {
            int status = client.get("/one", "Connection: close").receive().status();
            client.expectEnd();
            return status;
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.TRIGGERS)
    @Tag(Depth.IN_QUICK)
    void finishesRepliesBeforeItStops(WebDriver driver, String demultiplexer) throws Exception {
        try (WebSample web = WebSample.serve(root, driver, "--demultiplexer", demultiplexer);
                HttpClientSocket busy = new HttpClientSocket(web.address(), 8 * 1024);
                HttpClientSocket idle = web.connect()) {
            idle.get("/one").receive();
            busy.get("/large").get("/one");
            String head = busy.receiveHead();
            web.process().terminate();
            idle.expectEnd();
            assertTrue(head.startsWith("HTTP/1.1 200 "), head);
            assertArrayEquals(large, busy.input().readNBytes(large.length));
            assertEquals("1", new String(busy.receive().content(), UTF_8));
            busy.expectEnd();
            busy.hangUp();
            assertEquals(0, web.process().awaitExit());
            assertEquals("", web.process().errors().text());
        }
    }
}
