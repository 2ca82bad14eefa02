package dev.sluice.samples.levels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.lines.LineClient;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Service levels as clients see them. */
@EnabledOnOs(OS.LINUX)
class LevelsServerTest {

    /** Takes longer than any test. */
    private static final String ENDLESS = "100000000 endless";

    private static RunningSample start(String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("levels", "--port", "0"));
        arguments.addAll(List.of(options));
        return SampleCommand.of(arguments.toArray(String[]::new)).start();
    }

    /** {@return the port of each level, in the order of the options} */
    private static List<Integer> ports(RunningSample server, int levels) throws Exception {
        return server.awaitAddresses(levels).stream().map(InetSocketAddress::getPort).toList();
    }

    private static String digest(String text, int rounds) throws Exception {
        MessageDigest algorithm = MessageDigest.getInstance("SHA-256");
        byte[] digest = algorithm.digest(text.getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < rounds; i++) {
            digest = algorithm.digest(digest);
        }
        return HexFormat.of().formatHex(digest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "epoll-one-shot", "epoll-edge", "poll"})
    void eachLevelDoesItsJobs(String demultiplexer) throws Exception {
        try (RunningSample server = start("--levels", "one=2,two=4@1,three=3", "--demultiplexer", demultiplexer)) {
            for (int port : ports(server, 3)) {
                try (LineClient client = new LineClient(port)) {
                    assertEquals(digest("hello world", 0), client.ask("0 hello world"));
                    assertEquals(digest("a", 1000), client.ask("1000 a"));
                    assertTrue(client.ask("many of them").startsWith("error expected 'ROUNDS TEXT'"));
                    assertEquals(digest("x", 1), client.ask("1 x"));
                }
            }
            server.stop();
            assertTrue(server.errors().text().contains("two: 3 jobs done, 0 refused, 0 in the queue"),
                    server.errors()::text);
        }
    }

    @Test
    @Tag(Depth.IN_QUICK)
    void linesMayComeTogetherOrInPiecesAndAreAnsweredInOrder() throws Exception {
        try (RunningSample server = start("--levels", "only=3");
                LineClient client = new LineClient(ports(server, 1).get(0))) {
            StringBuilder many = new StringBuilder();
            for (int i = 0; i < 500; i++) {
                many.append(i % 7).append(" line ").append(i).append('\n');
            }
            client.send(many.toString());
            for (int i = 0; i < 500; i++) {
                assertEquals(digest("line " + i, i % 7), client.answer());
            }
            for (String each : "2 bytes\n".split("")) {
                client.send(each);
            }
            assertEquals(digest("bytes", 2), client.answer());
            server.stop();
        }
    }

    @Test
    void aLevelThatIsBusyHoldsUpNoOther() throws Exception {
        try (RunningSample server = start("--levels", "gold=3,bronze=2@1", "--report", "0.1")) {
            List<Integer> ports = ports(server, 2);
            try (LineClient busy = new LineClient(ports.get(1)); LineClient gold = new LineClient(ports.get(0))) {
                busy.send(ENDLESS + "\n");
                for (int i = 0; i < 100; i++) {
                    assertEquals(digest("gold", i), gold.ask(i + " gold"));
                }
                Patience.until("it tells what it does", () -> server.errors().text().contains("gold: 100 jobs done"));
                server.stop();
                assertNull(busy.answer());
            }
            assertTrue(server.errors().text().contains("bronze: 0 jobs done"), server.errors()::text);
        }
    }

    @Test
    void clientThatSendsNoLinesIsClosed() throws Exception {
        try (RunningSample server = start("--levels", "only=2");
                LineClient other = new LineClient(ports(server, 1).get(0))) {
            try (LineClient client = new LineClient(ports(server, 1).get(0))) {
                client.send("1".repeat(1000));
                assertNull(client.answer());
            } catch (IOException e) {
                assertEquals("Connection reset", e.getMessage());
            }
            assertEquals(digest("x", 0), other.ask("0 x"));
            server.stop();
        }
    }

    @Test
    void clientResetDoesNotAffectOtherClients() throws Exception {
        try (RunningSample server = start("--levels", "only=3")) {
            int port = ports(server, 1).get(0);
            long before;
            try (LineClient client = new LineClient(port)) {
                assertEquals(digest("x", 0), client.ask("0 x"));
                before = server.figures().openSockets();
            }
            for (int i = 0; i < 30; i++) {
                try (LineClient client = new LineClient(port)) {
                    client.send("2000 job\n".repeat(20));
                    client.reset();
                }
            }
            try (LineClient client = new LineClient(port)) {
                assertEquals(digest("x", 3), client.ask("3 x"));
                Patience.until("the others are closed", () -> server.figures().openSockets() == before);
                assertEquals(digest("x", 4), client.ask("4 x"));
            }
            server.stop();
        }
    }

    @Test
    void clientThatNeverReadsIsClosed() throws Exception {
        try (RunningSample server = start("--levels", "only=3");
                LineClient other = new LineClient(ports(server, 1).get(0)); Socket client = new Socket()) {
            client.setReceiveBufferSize(4096);
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ports(server, 1).get(0)));
            byte[] jobs = "0 x\n".repeat(1000).getBytes(StandardCharsets.US_ASCII);
            assertTimeoutPreemptively(Patience.LIMIT, () -> assertThrows(SocketException.class, () -> {
                while (true) {
                    client.getOutputStream().write(jobs);
                }
            }));
            assertEquals(digest("x", 0), other.ask("0 x"));
            server.stop();
            assertTrue(server.errors().text().contains("does not read its answers"), server.errors()::text);
        }
    }
}
