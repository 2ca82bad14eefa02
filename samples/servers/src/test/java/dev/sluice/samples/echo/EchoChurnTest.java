package dev.sluice.samples.echo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.RunningSample;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections that come and go, in good order or not. */
@EnabledOnOs(OS.LINUX)
class EchoChurnTest {

    private static final String SERVERS = "dev.sluice.samples.echo.EchoServers#demultiplexers";
    private static final int CONNECTIONS = Depth.times(50, 300, 2_000);
    private static final int RESETS = Depth.times(30, 150, 500);

    private final byte[] bytes = RandomBytes.of(8, 60_000);

    @ParameterizedTest
    @MethodSource(SERVERS)
    void leavesNoSocketBehind(EchoServers.EchoServer server) throws Exception {
        try (RunningSample echo = server.command("--port", "0").start()) {
            InetSocketAddress address = echo.awaitAddress();
            long before = echo.figures().openSockets();
            for (int i = 0; i < CONNECTIONS; i++) {
                try (EchoClient client = new EchoClient(address)) {
                    client.exchange(new byte[] {(byte) i});
                }
            }
            Patience.until("all sockets are closed", () -> echo.figures().openSockets() == before);
            echo.stop();
            assertEquals("", echo.errors().text());
        }
    }

    @ParameterizedTest
    @MethodSource(SERVERS)
    void survivesResets(EchoServers.EchoServer server) throws Exception {
        try (RunningSample echo = server.command("--port", "0", "--threads", "2").start()) {
            InetSocketAddress address = echo.awaitAddress();
            long before = echo.figures().openSockets();
            try (EchoClient witness = new EchoClient(address)) {
                for (int i = 0; i < RESETS; i++) {
                    resetAt(i % 3, address);
                    witness.exchange(new byte[] {(byte) i});
                }
            }
            Patience.until("all sockets are closed", () -> echo.figures().openSockets() == before);
            echo.stop();
            assertEquals("", echo.errors().text());
        }
    }

    private void resetAt(int stage, InetSocketAddress address) throws IOException {
        EchoClient client = new EchoClient(address);
        if (stage == 1) {
            client.exchange(new byte[] {1});
        } else if (stage == 2) {
            client.send(bytes);
        }
        client.reset();
    }
}
