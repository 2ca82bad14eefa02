package dev.sluice.samples.hybrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.leaderfollowers.BoundLeaderFollowersPool;
import dev.sluice.samples.Background;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.lines.LineClient;
import dev.sluice.testing.Depth;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two servers that are each other's clients, as others see them. */
@EnabledOnOs(OS.LINUX)
class HybridServersTest {

    /** Several times the waits that nest in a thread, on each side. */
    private static final int CROWD = 6 * BoundLeaderFollowersPool.MAX_NESTING;

    private int port;
    private int peerPort;

    @BeforeEach
    void findPorts() throws IOException {
        // Each has to know the other's before it is there.
        port = FreePort.find();
        peerPort = FreePort.find();
    }

    private static RunningSample start(int port, int peer, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("hybrid", "--port", Integer.toString(port), "--peer", "127.0.0.1:" + peer));
        arguments.addAll(List.of(options));
        RunningSample node = SampleCommand.of(arguments.toArray(String[]::new)).start();
        node.awaitAddress();
        return node;
    }

    @ParameterizedTest
    @CsvSource({"1, auto", "1, poll", "3, auto", "3, epoll-one-shot", "3, epoll-edge"})
    void nodesAnswerThoughEachWaitsForTheOther(String threads, String demultiplexer) throws Exception {
        String[] options = {"--threads", threads, "--demultiplexer", demultiplexer, "--timeout", "60000"};
        try (RunningSample node = start(port, peerPort, options); RunningSample peer = start(peerPort, port, options)) {
            List<Background<Void>> clients = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int to = i % 2 == 0 ? port : peerPort;
                clients.add(Background.run(() -> {
                    try (LineClient client = new LineClient(to)) {
                        assertEquals("1 55", client.ask("1 10"));
                        assertEquals("2 0", client.ask("2 0"));
                        assertEquals("3 144", client.ask("3 12"));
                    }
                    return null;
                }));
            }
            for (Background<Void> client : clients) {
                client.result();
            }
            peer.stop();
            node.stop();
            assertTrue(node.errors().text().contains(" 0 of them with an error"), node.errors()::text);
        }
    }

    @Test
    @Tag(Depth.IN_QUICK)
    void aNodeMayBeItsOwnPeer() throws Exception {
        try (RunningSample node = start(port, port, "--threads", "1"); LineClient client = new LineClient(port)) {
            assertEquals("9 610", client.ask("9 15"));
            node.stop();
        }
    }

    @Test
    @Tag(Depth.IN_QUICK)
    void oneLineMayComeByteByByteAndManyAtOnce() throws Exception {
        try (RunningSample node = start(port, port); LineClient client = new LineClient(port)) {
            for (String each : "7 6\n".split("")) {
                client.send(each);
            }
            assertEquals("7 8", client.answer());
            StringBuilder many = new StringBuilder();
            for (int i = 0; i < 200; i++) {
                many.append(i).append(" 3\n");
            }
            client.send(many.toString());
            for (int i = 0; i < 200; i++) {
                assertEquals(i + " 2", client.answer());
            }
            node.stop();
        }
    }

    @Test
    void failedRequestsGetAnErrorReply() throws Exception {
        try (RunningSample node = start(port, peerPort); LineClient client = new LineClient(port)) {
            assertEquals("1 error N must be 0 to 25, not 26", client.ask("1 26"));
            assertTrue(client.ask("2 5").startsWith("2 error connect"), "no server listens there yet");
            assertEquals("3 1", client.ask("3 1"));
            try (RunningSample peer = start(peerPort, port)) {
                assertEquals("4 5", client.ask("4 5"));
                peer.stop();
            }
            assertTrue(client.ask("5 5").startsWith("5 error "), "it has gone");
            assertEquals("6 1", client.ask("6 1"));
            node.stop();
        }
    }

    @Test
    void nonsenseClosesOnlyItsOwnConnection() throws Exception {
        try (RunningSample node = start(port, port); LineClient other = new LineClient(port)) {
            for (String nonsense : List.of("GET / HTTP/1.0\n", "1 two\n", "\n", "-1 1\n", "1".repeat(1000))) {
                try (LineClient client = new LineClient(port)) {
                    client.send(nonsense);
                    assertEnded(client);
                }
            }
            assertEquals("1 13", other.ask("1 7"));
            node.stop();
        }
    }

    private static void assertEnded(LineClient client) {
        try {
            assertNull(client.answer());
        } catch (IOException e) {
            assertEquals("Connection reset", e.getMessage());
        }
    }

    @Test
    void aPeerThatIsKilledFailsTheCallsThatWaitForIt() throws Exception {
        try (RunningSample node = start(port, peerPort);
                LineClient client = new LineClient(port);
                ServerSocket peer = new ServerSocket(peerPort, 1, InetAddress.getLoopbackAddress())) {
            client.send("1 5\n");
            try (Socket call = peer.accept();
                    BufferedReader calls = new BufferedReader(new InputStreamReader(call.getInputStream()))) {
                assertEquals("1 4", calls.readLine());
                // It goes without an answer.
            }
            assertTrue(client.answer().startsWith("1 error the connection is lost"));
            node.stop();
        }
    }

    @Test
    void aPeerThatNeverAnswersCostsTheCallItsTime() throws Exception {
        try (RunningSample node = start(port, peerPort, "--timeout", "300");
                LineClient client = new LineClient(port);
                ServerSocket peer = new ServerSocket(peerPort, 1, InetAddress.getLoopbackAddress())) {
            client.send("1 5\n");
            try (Socket call = peer.accept()) {
                assertEquals("1 error response to request 1 has not arrived within PT0.3S", client.answer());
                OutputStream late = call.getOutputStream();
                late.write("1 3\n".getBytes(StandardCharsets.US_ASCII));
            }
            assertEquals("2 1", client.ask("2 1"));
            node.stop();
        }
    }

    /** One thread on each side, and so many calls that they cannot all wait on its stack. */
    @Test
    void moreCallsThanAThreadCanNestAreAnsweredOrRefusedEach() throws Exception {
        String[] options = {"--threads", "1", "--timeout", "100"};
        try (RunningSample node = start(port, peerPort, options); RunningSample peer = start(peerPort, port, options)) {
            List<LineClient> clients = new ArrayList<>();
            try {
                for (int i = 0; i < CROWD; i++) {
                    clients.add(new LineClient(i % 2 == 0 ? port : peerPort));
                }
                for (LineClient client : clients) {
                    client.send("1 9\n");
                }
                for (LineClient client : clients) {
                    String answer = client.answer();
                    assertTrue(answer != null && (answer.equals("1 34") || answer.startsWith("1 error ")), answer);
                }
            } finally {
                for (LineClient client : clients) {
                    client.close();
                }
            }
            try (LineClient client = new LineClient(port)) {
                Patience.until("calls are answered again", () -> client.ask("2 9").equals("2 34"));
            }
            peer.stop();
            node.stop();
        }
    }
}
