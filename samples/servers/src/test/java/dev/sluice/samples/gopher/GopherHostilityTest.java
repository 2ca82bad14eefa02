package dev.sluice.samples.gopher;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.ProcessFigures;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.Setups;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.io.Drivers;
import dev.sluice.samples.io.IoStrategy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that go away at any moment, a server that does, and every Java and binding. */
@EnabledOnOs(OS.LINUX)
class GopherHostilityTest {

    private final byte[] large = RandomBytes.of(9, 8_000_000);

    @TempDir
    private Path root;

    @BeforeEach
    void fill() throws Exception {
        Files.write(root.resolve("large.bin"), large);
        Files.writeString(root.resolve("small.txt"), "small");
    }

    @ParameterizedTest
    @MethodSource(Drivers.STRATEGIES)
    void whatHasBegunIsSentThoughTheServerStops(ConcurrencyStrategy concurrency) throws Exception {
        try (GopherSample gopher = GopherSample.serve(root, concurrency); Socket client = gopher.connect()) {
            GopherSample.send(client, "/large.bin\r\n");
            ByteArrayOutputStream received = new ByteArrayOutputStream();
            received.write(client.getInputStream().read());
            Background<Void> stop = Background.run(() -> {
                gopher.process().stop();
                return null;
            });
            // When it accepts no more, it has received the signal.
            InetSocketAddress address = gopher.address();
            Patience.until("it accepts no more", () -> !accepts(address));
            client.getInputStream().transferTo(received);
            assertArrayEquals(large, received.toByteArray());
            // The server waits for that.
            client.close();
            stop.result();
            assertEquals("", gopher.process().errors().text());
        }
    }

    private static boolean accepts(InetSocketAddress address) {
        try (Socket late = new Socket()) {
            late.connect(address);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource(Drivers.STRATEGIES)
    void resetsAtAnyMomentLeaveNothingBehind(ConcurrencyStrategy concurrency) throws Exception {
        try (GopherSample gopher = GopherSample.serve(root, concurrency)) {
            gopher.address();
            ProcessFigures figures = gopher.process().figures();
            long before = figures.openSockets();
            for (int i = 0; i < 20; i++) {
                resetAtEachStage(gopher);
            }
            assertEquals("small\r\n.\r\n", gopher.text("/small.txt"));
            Patience.until("all connections are closed", () -> figures.openSockets() == before);
            gopher.process().stop();
            assertEquals("", gopher.process().errors().text());
        }
    }

    private static void resetAtEachStage(GopherSample gopher) throws Exception {
        for (String sent : List.of("", "/", "/large.bin", "/large.bin\r", "/large.bin\r\n", "\r\n", "/x\r\nmore")) {
            try (Socket client = gopher.connect(8 * 1024)) {
                client.setSoLinger(true, 0);
                GopherSample.send(client, sent);
            }
            try (Socket client = gopher.connect(8 * 1024)) {
                client.setSoLinger(true, 0);
                GopherSample.send(client, sent);
                if (sent.contains("\n")) {
                    client.getInputStream().read();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.io.Drivers#someSetups(org.junit.jupiter.api.TestInfo)")
    void servesOnEachJavaAndBinding(IoStrategy io, Setups.Setup setup) throws Exception {
        try (RunningSample process = setup.command("gopher", root.toString(), "--port", "0", "--io", io.toString())
                .start(); GopherSample gopher = new GopherSample(process)) {
            assertArrayEquals(large, gopher.ask("/large.bin"));
            assertEquals("small\r\n.\r\n", new String(gopher.ask("small.txt"), StandardCharsets.US_ASCII));
            process.stop();
            assertEquals("", process.errors().text());
        }
    }
}
