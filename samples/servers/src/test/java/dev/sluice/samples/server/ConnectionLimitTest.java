package dev.sluice.samples.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One connection too many is answered and closed, and those that are there go on. */
@EnabledOnOs(OS.LINUX)
class ConnectionLimitTest {

    private static final int MAX_CONNECTIONS = 3;
    private static final int CROWD = 1500;
    private static final String HTTP = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
            + "Content-Length: 0\r\n\r\n";

    @TempDir
    private Path directory;

    /**
     * A server that is full soon.
     *
     * @param command without what all have
     * @param request that a connection which is admitted is answered
     * @param answer  how that begins
     * @param refusal what one that is too many gets
     */
    private record Server(String command, String request, String answer, String refusal) {

        @Override
        public String toString() {
            return command;
        }
    }

    static Stream<Server> servers() {
        String get = "GET /none HTTP/1.1\r\nHost: x\r\n\r\n";
        return Stream.of(
                new Server("web", get, "HTTP/1.1 404 ", HTTP),
                new Server("web --io proactive", get, "HTTP/1.1 404 ", HTTP),
                new Server("web --concurrency thread-pool", get, "HTTP/1.1 404 ", HTTP),
                new Server("web --concurrency leader-followers", get, "HTTP/1.1 404 ", HTTP),
                new Server("gopher DIRECTORY --threads 1", "/none\r\n", "3",
                        "3Too many connections: try again later\t\terror.host\t1\r\n.\r\n"),
                new Server("echo", "hello", "hello", ""),
                new Server("echo --pattern proactor", "hello", "hello", ""),
                new Server("echo --concurrency half-sync-half-async", "hello", "hello", ""),
                new Server("oltp-back --branches 1 --data DIRECTORY", "PING\r\n", "+PONG",
                        "-ERR max number of clients reached\r\n"),
                new Server("levels --levels only=2", "0 x\n", "2d711642b726b04401627ca9fbac32f5", "busy\n"),
                new Server("hybrid --peer 127.0.0.1:PEER", "7 1\n", "7 1", ""));
    }

    private RunningSample start(Server server, String... options) throws IOException {
        List<String> words = new ArrayList<>();
        for (String word : server.command().split(" ")) {
            words.add(word.equals("DIRECTORY") ? directory.toString()
                    : word.replace("PEER", Integer.toString(FreePort.find())));
        }
        words.addAll(List.of("--port", "0"));
        words.addAll(List.of(options));
        return SampleCommand.of(words.toArray(String[]::new)).start();
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        return socket;
    }

    /** Whatever is left of an answer before is skipped. */
    private static void requireServed(Server server, Socket client) throws IOException {
        client.getOutputStream().write(server.request().getBytes(US_ASCII));
        StringBuilder received = new StringBuilder();
        while (received.indexOf(server.answer()) < 0) {
            int octet = client.getInputStream().read();
            assertNotEquals(-1, octet, received::toString);
            received.append((char) octet);
        }
    }

    private static String refusal(InetSocketAddress address) throws IOException {
        try (Socket client = connect(address)) {
            return new String(client.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    /** Not until the server has noticed that a place is free. */
    private static boolean isServed(Server server, InetSocketAddress address) throws IOException {
        try (Socket client = connect(address)) {
            client.getOutputStream().write(server.request().getBytes(US_ASCII));
            return new String(client.getInputStream().readNBytes(server.answer().length()), US_ASCII)
                    .equals(server.answer());
        } catch (SocketException e) {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void oneMoreIsRefusedAndTheOthersGoOn(Server server) throws Exception {
        try (RunningSample sample = start(server, "--connections", "" + MAX_CONNECTIONS)) {
            InetSocketAddress address = sample.awaitAddress();
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < MAX_CONNECTIONS; i++) {
                clients.add(connect(address));
                // All threads that accept know of it then. Gopher has one answer for each connection.
                if (!server.command().startsWith("gopher")) {
                    requireServed(server, clients.get(i));
                }
            }
            for (int i = 0; i < 3; i++) {
                assertEquals(server.refusal(), refusal(address));
            }
            for (Socket each : clients) {
                requireServed(server, each);
                each.close();
            }
            Patience.until("there is a place again", () -> isServed(server, address));
            sample.stop();
            String errors = sample.errors().text();
            String expected =
                    "there are " + MAX_CONNECTIONS + " connections, which is the maximum; refused so far: 1";
            assertEquals(1, errors.lines().filter(line -> line.endsWith(expected)).count(), errors);
        }
    }

    @Test
    void theLimitIsForAllPortsTogether() throws Exception {
        try (RunningSample web = SampleCommand.of("web", "--port", "0", "--also", "0=proactor-per-thread",
                "--connections", "2").start()) {
            List<InetSocketAddress> ports = web.awaitAddresses(2);
            try (Socket one = connect(ports.get(0)); Socket other = connect(ports.get(1))) {
                for (Socket each : List.of(one, other)) {
                    each.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
                    assertEquals("HTTP/1.1 200", new String(each.getInputStream().readNBytes(12), US_ASCII));
                }
                for (InetSocketAddress each : ports) {
                    assertEquals(HTTP, refusal(each));
                }
            }
            web.stop();
        }
    }

    static Stream<String> aSmallHeapOutlastsACrowd(TestInfo test) {
        return Depth.some(test, Stream.of("web", "web --io proactive", "web --concurrency thread-per-connection",
                "gopher ."), 2);
    }

    /** Many times as many as there is memory for, each with most of a head. */
    @ParameterizedTest
    @MethodSource
    void aSmallHeapOutlastsACrowd(String command) throws Exception {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(List.of("--port", "0"));
        String head = "GET /" + "x".repeat(command.startsWith("web") ? 7000 : 200);
        try (SampleProcess server = SampleCommand.of(words.toArray(String[]::new)).withOption("-Xmx24m")
                .withOption("-XX:+ExitOnOutOfMemoryError").startProcess()) {
            InetSocketAddress address = server.awaitAddress();
            List<Socket> crowd = new ArrayList<>();
            for (int i = 0; i < CROWD; i++) {
                Socket client = connect(address);
                crowd.add(client);
                try {
                    client.getOutputStream().write(head.getBytes(US_ASCII));
                } catch (SocketException e) {
                    // Refused.
                    continue;
                }
            }
            assertTrue(refusal(address).contains("503 Service") || !command.startsWith("web"));
            for (Socket each : crowd) {
                each.close();
            }
            Server web = new Server(command, "GET /none HTTP/1.0\r\n\r\n",
                    command.startsWith("web") ? "HTTP/1.1 404 " : "3", "");
            Patience.until("it serves again", () -> isServed(web, address));
            server.stop();
        }
    }

    @Test
    @Tag(Depth.IN_QUICK)
    void theDefaultIsWhatMemoryAndDescriptorsAreEnoughFor() {
        assertEquals(384, ConnectionLimit.usual(24 << 20, 1 << 20));
        assertEquals(480, ConnectionLimit.usual(1L << 30, 1024));
        assertEquals(16, ConnectionLimit.usual(1, 1));
        assertEquals(Integer.MAX_VALUE, ConnectionLimit.usual(Long.MAX_VALUE, Long.MAX_VALUE));
    }
}
