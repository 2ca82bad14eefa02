package dev.sluice.samples.oltp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FloodingPeer;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.RespClient.Failure;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that mean no good, of a front end and of the back-ends behind it. */
@EnabledOnOs(OS.LINUX)
class HostileClientTest {

    private static final int BUFFER = 64 << 10;
    /** Many times the threads of a pool. */
    private static final int CROWD = Depth.current() == Depth.VERIFY ? 300 : 1000;

    @TempDir
    private Path directory;

    /** The models whose threads are not the connections' own, and one whose are. */
    static Stream<ConcurrencyStrategy> pools(TestInfo test) {
        return Depth.some(test, Stream.of(ConcurrencyStrategy.LEADER_FOLLOWERS,
                ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC, ConcurrencyStrategy.THREAD_PER_CONNECTION), 2);
    }

    private static List<RunningSample> servers(OltpSystem system) {
        return List.of(system.front(), system.backEnd(0).sample());
    }

    @ParameterizedTest
    @MethodSource("pools")
    void areToldThatTheyMakeNoSense(ConcurrencyStrategy pool) throws Exception {
        try (OltpSystem system = OltpSystem.start(directory, pool)) {
            for (RunningSample server : servers(system)) {
                for (String nonsense : List.of("*-5\r\n*1\r\n$-1\r\n", "*1\r\n$999999999\r\n",
                        "*1\r\n$9999999999999\r\n",
                        "*1000000\r\n", "*1\r\n*1\r\n$4\r\nPING\r\n", "*1\r\n$4\r\nPINGPING\r\n", "*1\r\n$4PING\r\n",
                        "*1\n$4\nPING\n", "*1\r\n:5\r\n", "*1\r\n$65537\r\n", "x".repeat(70_000), "PING\0\r\n")) {
                    try (RespClient client = new RespClient(server.awaitAddress())) {
                        client.send(RespClient.request("DEPOSIT", 1, 1, 0, 0) + nonsense);
                        assertEquals(0L, client.receive());
                        Failure failure = assertInstanceOf(Failure.class, client.receive());
                        assertTrue(failure.message().startsWith("ERR Protocol error: "), failure::message);
                        client.expectEnd();
                    }
                }
            }
            system.stop();
        }
    }

    @ParameterizedTest
    @MethodSource("pools")
    void askForWhatCannotBe(ConcurrencyStrategy pool) throws Exception {
        Failure noInteger = new Failure("ERR value is not an integer or out of range");
        Failure noId = new Failure("ERR a request id is 1 to 64 printable ASCII characters");
        try (OltpSystem system = OltpSystem.start(directory, pool)) {
            for (RunningSample server : servers(system)) {
                try (RespClient client = new RespClient(server.awaitAddress())) {
                    for (String number : List.of("9223372036854775808", "-9223372036854775809", "", "-", "+1", "1.0",
                            "0x1", " 1", "1e3", "9".repeat(60_000))) {
                        assertEquals(noInteger, client.ask("DEPOSIT", 1, 1, 0, number));
                        assertEquals(noInteger, client.ask("DEPOSIT", number, 1, 0, 1));
                        assertEquals(noInteger, client.ask("BALANCE", number));
                    }
                    for (long amount : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, 1_000_000_001, -1_000_000_001}) {
                        assertEquals(new Failure("ERR the amount " + amount + " is beyond 1000000000"),
                                client.ask("DEPOSIT", 1, 1, 0, amount));
                    }
                    for (long number : new long[] {Long.MAX_VALUE, Long.MIN_VALUE}) {
                        assertEquals(new Failure("ERR no such account: " + number), client.ask("BALANCE", number));
                        assertEquals(new Failure("ERR there is no branch " + number),
                                client.ask("DEPOSIT", number, number, number, 1));
                    }
                    for (String id : List.of("", "i".repeat(65), "a b", "\u00fc", "a\0", "i".repeat(60_000))) {
                        assertEquals(noId, client.ask("DEPOSIT", 1, 1, 0, 1, id));
                    }
                    // The longest and the shortest.
                    long before = (Long) client.ask("BALANCE", 1);
                    String own = server == system.front() ? "f" : "b";
                    for (String id : List.of(own, own.repeat(64), "$-1" + own, "*1" + own)) {
                        assertEquals(before + 1, client.ask("DEPOSIT", 1, 1, 0, 1, id));
                        assertEquals(before + 1, client.ask("DEPOSIT", 1, 1, 0, 1, id));
                        before++;
                    }
                    assertEquals(before, client.ask("BALANCE", 1));
                }
            }
            system.stop();
        }
    }

    @ParameterizedTest
    @MethodSource("pools")
    void doNotReadTheirReplies(ConcurrencyStrategy pool) throws Exception {
        byte[] requests = (RespClient.request("PING", "x".repeat(60_000)) + RespClient.request("BALANCE", 1))
                .repeat(30).getBytes(US_ASCII);
        try (OltpSystem system = OltpSystem.start(directory, pool)) {
            for (RunningSample server : servers(system)) {
                List<SocketChannel> floods = new ArrayList<>();
                try (RespClient other = new RespClient(server.awaitAddress())) {
                    for (int i = 0; i < 20; i++) {
                        floods.add(connect(server.awaitAddress()));
                    }
                    List<ByteBuffer> unsent = floods.stream().map(each -> ByteBuffer.wrap(requests)).toList();
                    flood(floods, unsent);
                    assertEquals("PONG", other.ask("PING"));
                    assertInstanceOf(Long.class, other.ask("DEPOSIT", 1, 1, 0, 1));
                } finally {
                    for (SocketChannel each : floods) {
                        // A reset, with replies on their way.
                        each.setOption(StandardSocketOptions.SO_LINGER, 0);
                        each.close();
                    }
                }
                // The links of the front end, which are clients of the back-end, and who asks.
                int left = server == system.front() ? 1 : 5;
                AtomicReference<String> seen = new AtomicReference<>();
                Patience.until(seen::get, () -> {
                    seen.set(pool(server));
                    return new PoolSection(seen.get()).number("connected_clients") == left;
                });
            }
            system.stop();
        }
    }

    private static SocketChannel connect(InetSocketAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
        channel.connect(address);
        channel.configureBlocking(false);
        return channel;
    }

    /** Sends until the server takes nothing for a while, and checks that it does not take without end. */
    private static void flood(List<SocketChannel> floods, List<ByteBuffer> unsent) throws Exception {
        long[] sent = new long[floods.size()];
        int[] calm = new int[1];
        Patience.until("they get stuck", () -> {
            calm[0]++;
            for (int i = 0; i < floods.size(); i++) {
                ByteBuffer octets = unsent.get(i);
                int count = floods.get(i).write(octets);
                sent[i] += count;
                calm[0] = count > 0 ? 0 : calm[0];
                assertTrue(sent[i] < FloodingPeer.FLOOD, "it takes in without end");
                if (!octets.hasRemaining()) {
                    octets.rewind();
                }
            }
            return calm[0] == 50;
        });
    }

    private static String pool(RunningSample server) throws Exception {
        try (RespClient client = new RespClient(server.awaitAddress())) {
            return client.ask("INFO", "pool").toString();
        }
    }

    @ParameterizedTest
    @MethodSource("pools")
    void connectByTheHundredAndSendHalfARequest(ConcurrencyStrategy pool) throws Exception {
        try (OltpSystem system = OltpSystem.start(directory, pool); RespClients idle = new RespClients()) {
            for (RunningSample server : servers(system)) {
                for (int i = 0; i < CROWD; i++) {
                    RespClient client = idle.connect(server.awaitAddress());
                    if (i % 2 == 0) {
                        client.send("*5\r\n$7\r\nDEPOSIT\r\n$1\r\n1\r\n$1");
                    }
                }
                Patience.until("all are there", () ->
                        new PoolSection(pool(server)).number("connected_clients") > CROWD);
                try (RespClient client = new RespClient(server.awaitAddress())) {
                    for (int i = 0; i < 100; i++) {
                        assertInstanceOf(Long.class, client.ask("DEPOSIT", 5, 1, 0, 1));
                    }
                }
                // Each is served when it goes on.
                for (int i = 0; i < CROWD; i += CROWD / 10) {
                    idle.get(idle.count() - CROWD + i).send("\r\n1\r\n$1\r\n0\r\n$1\r\n0\r\n");
                    assertEquals(0L, idle.get(idle.count() - CROWD + i).receive());
                }
            }
            idle.close();
            system.stop();
        }
    }
}
