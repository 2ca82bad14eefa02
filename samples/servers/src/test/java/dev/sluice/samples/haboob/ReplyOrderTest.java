package dev.sluice.samples.haboob;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Long replies that wait for each other arrive as they are, beside one that is not read, and clients that leave. */
@EnabledOnOs(OS.LINUX)
class ReplyOrderTest {

    private static final int CLIENTS = 12;
    private static final int SIZE = 1 << 20;
    /** More than the page cache keeps: it is read in pieces, and sent by size, too. */
    private static final int LARGER = 5 << 20;
    private static final byte[] BYTES = RandomBytes.of(7, LARGER);

    @TempDir
    private Path root;

    static Stream<Arguments> longRepliesArriveWhole(TestInfo test) {
        return Depth.first(test, Stream.of(Arguments.of("size", "coarse"), Arguments.of("size", "paper"),
                Arguments.of("none", "coarse"), Arguments.of("none", "paper")), 2);
    }

    @ParameterizedTest
    @MethodSource
    void longRepliesArriveWhole(String order, String stages) throws Exception {
        Files.write(root.resolve("large"), Arrays.copyOf(BYTES, SIZE));
        Files.write(root.resolve("larger"), BYTES);
        try (RunningSample haboob = SampleCommand.of("haboob", "--port", "0", "--root", root.toString(),
                "--page-cache", "16384", "--reply-order", order, "--stages", stages).start()) {
            InetSocketAddress address = haboob.awaitAddress();
            try (Socket reader = ask(address, "/larger")) {
                for (int i = 0; i < CLIENTS; i++) {
                    // Leaves with most of the reply unsent, perhaps while it waits.
                    ask(address, "/larger").close();
                }
                List<Background<byte[]>> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(Background.run(() -> body(address, "/large")));
                }
                clients.add(Background.run(() -> body(address, "/larger")));
                for (Background<byte[]> each : clients) {
                    byte[] body = each.result();
                    assertArrayEquals(Arrays.copyOf(BYTES, body.length), body);
                }
                assertEquals(LARGER, body(reader).length);
            }
            haboob.stop();
            assertEquals("", haboob.errors().text());
        }
    }

    private static Socket ask(InetSocketAddress address, String path) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                .getBytes(UTF_8));
        return socket;
    }

    private static byte[] body(InetSocketAddress address, String path) throws IOException {
        try (Socket socket = ask(address, path)) {
            return body(socket);
        }
    }

    private static byte[] body(Socket socket) throws IOException {
        byte[] reply = socket.getInputStream().readAllBytes();
        int end = 0;
        while (reply[end] != '\r' || reply[end + 1] != '\n' || reply[end + 2] != '\r') {
            end++;
        }
        return Arrays.copyOfRange(reply, end + 4, reply.length);
    }
}
