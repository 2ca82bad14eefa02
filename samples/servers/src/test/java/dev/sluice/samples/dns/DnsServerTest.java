package dev.sluice.samples.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The name server as clients see it. */
@EnabledOnOs(OS.LINUX)
class DnsServerTest {

    private static final int CLIENTS = 8;
    private static final int QUERIES = 200;

    @TempDir
    private Path directory;
    private Path zone;

    @BeforeEach
    void writeZone() throws IOException {
        zone = Files.writeString(directory.resolve("example.zone"), ResponderTest.ZONE);
    }

    private RunningSample start(String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("dns", "--port", "0", "--zone", zone.toString()));
        arguments.addAll(List.of(options));
        return SampleCommand.of(arguments.toArray(String[]::new)).start();
    }

    /** One that asks again when nothing comes, as datagrams may be lost. */
    private static final class Client implements AutoCloseable {

        private final DatagramSocket socket = new DatagramSocket();

        Client(InetSocketAddress server) throws IOException {
            socket.connect(server);
            socket.setSoTimeout(2000);
        }

        void send(byte[] datagram) throws IOException {
            socket.send(new DatagramPacket(datagram, datagram.length));
        }

        DnsMessage ask(byte[] query) throws IOException {
            int id = (query[0] & 0xFF) << 8 | query[1] & 0xFF;
            for (int attempt = 0; attempt < 20; attempt++) {
                send(query);
                try {
                    DnsMessage reply = receive();
                    while (reply.id() != id) {
                        reply = receive();
                    }
                    return reply;
                } catch (SocketTimeoutException e) {
                    continue;
                }
            }
            throw new AssertionError("no reply");
        }

        private DnsMessage receive() throws IOException {
            DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
            socket.receive(packet);
            return DnsMessage.parse(Arrays.copyOf(packet.getData(), packet.getLength()));
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "epoll-one-shot", "epoll-edge", "poll"})
    void manyClientsAreAnsweredBySeveralThreads(String demultiplexer) throws Exception {
        try (RunningSample server = start("--threads", "4", "--demultiplexer", demultiplexer)) {
            InetSocketAddress address = server.awaitAddress();
            List<Background<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Background.run(() -> {
                    try (Client client = new Client(address)) {
                        for (int id = 0; id < QUERIES; id++) {
                            DnsMessage reply = client.ask(DnsMessage.query(id, "ns.example.org", DnsMessage.A));
                            assertEquals(List.of("ns.example.org. 1 3600 c0000201"), reply.answers());
                        }
                    }
                    return null;
                }));
            }
            for (Background<Void> client : clients) {
                client.result();
            }
            server.stop();
            assertTrue(server.errors().text().contains(" queries answered, 0 malformed, 0 datagrams dropped, "),
                    server.errors()::text);
        }
    }

    @Test
    @Tag(Depth.IN_QUICK)
    void whatIsNoQueryDoesNotDisturbTheOthers() throws Exception {
        try (RunningSample server = start(); Client client = new Client(server.awaitAddress())) {
            byte[] query = DnsMessage.query(7, "ns.example.org", DnsMessage.A);
            client.send(new byte[1]);
            client.send(new byte[11]);
            byte[] reply = query.clone();
            reply[2] |= (byte) 0x80;
            client.send(reply);
            byte[] huge = Arrays.copyOf(query, 60_000);
            huge[1] = 8;
            assertEquals(1, client.ask(huge).code());
            assertEquals(1, client.ask(Arrays.copyOf(query, query.length - 1)).code());
            assertEquals(0, client.ask(query).code());
            server.stop();
            assertTrue(server.errors().text().contains("3 datagrams dropped, 0 replies not sent"),
                    server.errors()::text);
        }
    }

    @Test
    void aHangUpReadsTheZoneAnew() throws Exception {
        try (RunningSample server = start(); Client client = new Client(server.awaitAddress())) {
            byte[] query = DnsMessage.query(7, "new.example.org", DnsMessage.A);
            assertEquals(3, client.ask(query).code());
            Files.writeString(zone, ResponderTest.ZONE + "new A 192.0.2.99\n");
            server.hangUp();
            Patience.until("the new name is known", () -> client.ask(query).code() == 0);
            Files.writeString(zone, ResponderTest.ZONE + "new A nonsense\n");
            server.hangUp();
            server.errors().awaitLine("a warning", line -> line.contains("'nonsense' is not an IPv4 address"));
            assertEquals(List.of("new.example.org. 1 3600 c0000263"), client.ask(query).answers());
            server.stop();
        }
    }

    @Test
    void namesOfTheHostsFileAreServedWithoutAZone() throws Exception {
        try (RunningSample server = SampleCommand.of("dns", "--port", "0", "--threads", "1").start();
                Client client = new Client(server.awaitAddress())) {
            assertEquals(5, client.ask(DnsMessage.query(1, "no-such-host.invalid", DnsMessage.A)).code());
            server.stop();
            assertTrue(server.errors().text().contains("serving the hosts file, "), server.errors()::text);
        }
    }

    @Test
    void aZoneWithAProblemEndsTheStart() throws Exception {
        Files.writeString(zone, "nonsense");
        try (RunningSample server = start()) {
            assertEquals(1, server.awaitExit());
            assertTrue(server.errors().text().startsWith("sluice dns: " + zone + ":1: "), server.errors()::text);
        }
    }

    @Test
    void digIsAnswered() throws Exception {
        try (RunningSample server = start()) {
            InetSocketAddress address = server.awaitAddress();
            List<String> dig = List.of("dig", "@" + address.getHostString(), "-p", Integer.toString(address.getPort()));
            assertEquals("192.0.2.1\n", dig(dig, "+short", "ns.example.org", "A"));
            assertEquals("2001:db8::1\n", dig(dig, "+short", "ns.example.org", "AAAA"));
            // Some versions of dig put a backslash before a semicolon.
            assertEquals("\"a text; with \\\"quotes\\\"\" \"plain\" \"A\"\n",
                    dig(dig, "+short", "text.example.org", "TXT").replace("\\;", ";"));
            assertTrue(dig(dig, "none.example.org").contains("status: NXDOMAIN"));
            assertTrue(dig(dig, "+noedns", "example.net").contains("status: REFUSED"));
            server.stop();
        }
    }

    private static String dig(List<String> dig, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(dig);
        command.addAll(List.of(arguments));
        ExternalProgram done = ExternalProgram.run(command);
        assertEquals(0, done.exitCode(), done.errors());
        return done.text();
    }
}
