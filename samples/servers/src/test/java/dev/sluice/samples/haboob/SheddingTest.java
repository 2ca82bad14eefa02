package dev.sluice.samples.haboob;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.server.VirtualThreads;
import dev.sluice.testing.Depth;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The bottleneck under more load than it can take. */
@EnabledOnOs(OS.LINUX)
class SheddingTest {

    private static final int CLIENTS = 32;
    private static final int PAGE = 8 * 1024;
    private static final String LENGTH = "Content-Length: ";
    /** The second one waits in the server until the first one is answered. */
    private static final byte[] TWO_REQUESTS = "GET /bottleneck HTTP/1.1\r\nHost: test\r\n\r\n".repeat(2)
            .getBytes(UTF_8);

    private static String[] command(String... options) {
        List<String> all = new ArrayList<>(List.of("haboob", "--port", "0"));
        all.addAll(List.of(options));
        return all.toArray(String[]::new);
    }

    static Stream<Arguments> shedRequestsGetAWholeRefusal(TestInfo test) {
        return Depth.some(test, Stream.of(Arguments.of("mean", "1"), Arguments.of("percentile", "1"),
                Arguments.of("backlog", "20"), Arguments.of("delay", "20")), 2);
    }

    /** Each request is answered by a whole page or a whole refusal, and who was refused asks again, as others do. */
    @ParameterizedTest
    @MethodSource
    void shedRequestsGetAWholeRefusal(String shedding, String cost) throws Exception {
        try (RunningSample haboob = SampleCommand.of(command("--shedding", shedding, "--target", "1", "--cost", cost))
                .start()) {
            InetSocketAddress address = haboob.awaitAddress();
            Tally tally = new Tally();
            List<Background<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Background.run(() -> ask(address, tally)));
            }
            for (Background<Void> each : clients) {
                each.result();
            }
            haboob.stop();
            assertEquals("", haboob.errors().text());
        }
    }

    /** At most two at a time. */
    @Test
    void virtualThreadsMakeThePage() throws Exception {
        assumeTrue(VirtualThreads.unavailable() == null, VirtualThreads::unavailable);
        try (RunningSample haboob = SampleCommand.of(command("--virtual", "--page-threads", "2", "--rounds", "3",
                "--wait", "1", "--shedding", "none")).start()) {
            InetSocketAddress address = haboob.awaitAddress();
            List<Background<Boolean>> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clients.add(Background.run(() -> {
                    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
                        socket.getOutputStream().write(TWO_REQUESTS);
                        Tally tally = new Tally();
                        InputStream in = new BufferedInputStream(socket.getInputStream());
                        return isOpenAfterReply(in, tally) && isOpenAfterReply(in, tally) && tally.pages.sum() == 2;
                    }
                }));
            }
            for (Background<Boolean> each : clients) {
                assertTrue(each.result());
            }
            haboob.stop();
            assertEquals("", haboob.errors().text());
        }
    }

    private static Void ask(InetSocketAddress address, Tally tally) throws Exception {
        while (!tally.isEnough()) {
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                socket.setSoTimeout((int) Patience.LIMIT.toMillis());
                InputStream in = new BufferedInputStream(socket.getInputStream());
                boolean open = true;
                while (open && !tally.isEnough()) {
                    socket.getOutputStream().write(TWO_REQUESTS);
                    open = isOpenAfterReply(in, tally) && isOpenAfterReply(in, tally);
                }
                if (!open) {
                    assertEquals(-1, in.read(), "something follows the last reply");
                }
            }
        }
        return null;
    }

    /** Receives a reply; tells whether the connection goes on. */
    private static boolean isOpenAfterReply(InputStream in, Tally tally) throws IOException {
        List<String> head = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            head.add(line);
        }
        String length = head.stream().filter(line -> line.startsWith(LENGTH)).findAny().orElseThrow();
        int count = Integer.parseInt(length.substring(LENGTH.length()));
        byte[] content = in.readNBytes(count);
        assertEquals(count, content.length, "the content ended early");
        if (head.get(0).startsWith("HTTP/1.1 200 ")) {
            assertEquals(PAGE, count);
            tally.pages.increment();
        } else {
            assertTrue(head.get(0).startsWith("HTTP/1.1 503 "), head.get(0));
            assertTrue(head.contains("Retry-After: 1"), head::toString);
            assertTrue(new String(content, UTF_8).contains("is overloaded"));
            tally.refusals.increment();
        }
        return !head.contains("Connection: close");
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new EOFException("the connection ended in a head, after: " + line);
            }
            line.append((char) octet);
        }
        assertEquals('\r', line.charAt(line.length() - 1));
        return line.substring(0, line.length() - 1);
    }

    /** What all clients have got. */
    private static final class Tally {

        private final LongAdder pages = new LongAdder();
        private final LongAdder refusals = new LongAdder();

        boolean isEnough() {
            return pages.sum() >= CLIENTS && refusals.sum() >= 4 * CLIENTS;
        }
    }
}
