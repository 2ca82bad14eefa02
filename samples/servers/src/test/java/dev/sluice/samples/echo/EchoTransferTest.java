package dev.sluice.samples.echo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What goes in comes out: all of it, in order, and nothing else. */
@EnabledOnOs(OS.LINUX)
class EchoTransferTest {

    private static final String SERVERS = "dev.sluice.samples.echo.EchoServers#";
    /** More than the buffers of the system hold. */
    private static final int LARGE = Depth.times(1, 8, 16) << 20;
    private static final int CLIENTS = 200;
    private static final int ROUNDS = Depth.times(2, 4, 20);
    private static final int LARGEST_CHUNK = 20_000;

    @ParameterizedTest
    @MethodSource(SERVERS + "variedAndStrategies")
    void echoesBothWaysAtOnceAndEndsAfterHalfClose(EchoServers.EchoServer server) throws Exception {
        byte[] bytes = RandomBytes.of(1, LARGE);
        try (RunningSample echo = server.command("--port", "0").start();
                EchoClient client = new EchoClient(echo.awaitAddress())) {
            Background<Void> sender = Background.run(() -> {
                sendInRandomChunks(client, bytes);
                client.endOutput();
                return null;
            });
            assertArrayEquals(bytes, client.receiveAll());
            sender.result();
            echo.stop();
        }
    }

    private static void sendInRandomChunks(EchoClient client, byte[] bytes) throws IOException {
        Random random = new Random(2);
        int sent = 0;
        while (sent < bytes.length) {
            int length = Math.min(bytes.length - sent, 1 + random.nextInt(1 << random.nextInt(19)));
            client.send(bytes, sent, length);
            sent += length;
        }
    }

    @Test
    @Tag(Depth.IN_QUICK)
    void endsAfterHalfClose() throws Exception {
        try (RunningSample echo = SampleCommand.of("echo", "--port", "0").start();
                EchoClient silent = new EchoClient(echo.awaitAddress());
                EchoClient client = new EchoClient(echo.awaitAddress())) {
            silent.endOutput();
            silent.expectEnd();
            client.send("some words".getBytes(UTF_8));
            client.endOutput();
            assertEquals("some words", new String(client.receiveAll(), UTF_8));
        }
    }

    @ParameterizedTest
    @Tag(Depth.IN_QUICK)
    @MethodSource(SERVERS + "demultiplexers")
    void servesManyConnectionsAtOnce(EchoServers.EchoServer server) throws Exception {
        try (RunningSample echo = server.command("--port", "0").start()) {
            exchangeWithMany(echo.awaitAddress());
            echo.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(SERVERS + "patterns")
    void sharesConnectionsAmongThreads(EchoServers.EchoServer server) throws Exception {
        try (RunningSample echo = server.command("--port", "0", "--threads", "3").start()) {
            InetSocketAddress address = echo.awaitAddress();
            List<String> threads = List.of("echo-0", "echo-1", "echo-2");
            // A thread has its name when it runs.
            Patience.until("the threads run", () ->
                    List.copyOf(echo.figures().waitsOfThreads("echo-").keySet()).equals(threads));
            Map<String, Long> before = echo.figures().waitsOfThreads("echo-");
            exchangeWithMany(address);
            Map<String, Long> after = echo.figures().waitsOfThreads("echo-");
            before.forEach((thread, waits) ->
                    assertTrue(after.get(thread) > waits, () -> before + " before, " + after + " after"));
            echo.stop();
        }
    }

    private static void exchangeWithMany(InetSocketAddress address) throws Exception {
        List<EchoClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new EchoClient(address));
            }
            List<Background<Void>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                EchoClient client = clients.get(i);
                int seed = i;
                running.add(Background.run(() -> exchangeRandomChunks(client, seed)));
            }
            for (Background<Void> each : running) {
                each.result();
            }
        } finally {
            for (EchoClient client : clients) {
                client.close();
            }
        }
    }

    private static Void exchangeRandomChunks(EchoClient client, int seed) throws IOException {
        Random random = new Random(seed);
        byte[] bytes = RandomBytes.of(seed, LARGEST_CHUNK);
        for (int round = 0; round < ROUNDS; round++) {
            int from = random.nextInt(bytes.length);
            client.exchange(Arrays.copyOfRange(bytes, from, from + 1 + random.nextInt(bytes.length - from)));
        }
        client.endOutput();
        client.expectEnd();
        return null;
    }

    @Test
    void listensOnAnIpv6Address() throws Exception {
        assumeTrue(hasIpv6(), "no IPv6 here");
        try (RunningSample echo = SampleCommand.of("echo", "--host", "::1", "--port", "0").start()) {
            String line = echo.awaitReadyLine();
            assertTrue(line.startsWith("ready: echo on ["), line);
            InetSocketAddress address = echo.awaitAddress();
            assertEquals(InetAddress.getByName("::1"), address.getAddress());
            assertTrue(address.getAddress() instanceof Inet6Address);
            try (EchoClient client = new EchoClient(address)) {
                client.exchange(RandomBytes.of(3, 100_000));
            }
            echo.stop();
        }
    }

    private static boolean hasIpv6() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("::1"))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
