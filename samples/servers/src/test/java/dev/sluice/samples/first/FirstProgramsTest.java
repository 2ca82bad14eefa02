package dev.sluice.samples.first;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.samples.Background;
import dev.sluice.samples.FloodingPeer;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The programs of the README and the guide, on each demultiplexer, with a peer that floods them and does not read. */
class FirstProgramsTest {

    private static final byte[] FLOOD = RandomBytes.of(4, FloodingPeer.FLOOD);
    /** So often nothing more is taken. */
    private static final int CALM_LOOKS = 20;
    private static final Pattern STAGES_OUTPUT =
            Pattern.compile("rejected: (\\d+)\\R" + "sum of the squares: (\\d+)\\s*");
    private static final long NUMBERS = 10_000;

    static Stream<String> reactors(TestInfo test) {
        return Depth.some(test, usable(Mode.SYNCHRONOUS), 1);
    }

    static Stream<String> proactors(TestInfo test) {
        return Depth.first(test, usable(Mode.ASYNCHRONOUS), 1);
    }

    private static Stream<String> usable(Mode mode) {
        return Mechanism.available().stream()
                .filter(factory -> factory.mode() == mode && factory.availability().usable())
                .map(Mechanism::name);
    }

    @ParameterizedTest
    @MethodSource("reactors")
    void reactorEchoesAllAndServesAllClients(String demultiplexer) throws Exception {
        assertRight(FirstProgram.class, demultiplexer);
    }

    @ParameterizedTest
    @MethodSource("proactors")
    void proactorEchoesAllAndServesAllClients(String demultiplexer) throws Exception {
        assertRight(FirstProactor.class, demultiplexer);
    }

    @Test
    void stagesAddUpWhatTheyAccept() throws Exception {
        try (SampleProcess program = SampleCommand.of().withMain(FirstStages.class.getName()).startProcess()) {
            assertEquals(0, program.awaitExit(), () -> program.errors().text());
            Matcher output = STAGES_OUTPUT.matcher(program.output().awaitEnd());
            assertTrue(output.matches(), output::toString);
            long rejected = Long.parseLong(output.group(1));
            long sum = Long.parseLong(output.group(2));
            long largest = sumOfSquares(rejected, NUMBERS);
            long smallest = sumOfSquares(0, NUMBERS - rejected);
            assertTrue(smallest <= sum && sum <= largest, output::group);
        }
    }

    private static long sumOfSquares(long above, long upTo) {
        return LongStream.rangeClosed(above + 1, upTo).map(number -> number * number).sum();
    }

    private static void assertRight(Class<?> program, String demultiplexer) throws Exception {
        InetSocketAddress address = FreePort.address();
        try (RunningSample running = SampleCommand.of().withMain(program.getName())
                .withOption("-Dport=" + address.getPort()).withOption("-Dsluice.demultiplexer=" + demultiplexer)
                .start()) {
            awaitListening(address);
            exchange(address);
            ByteBuffer flood = ByteBuffer.wrap(FLOOD);
            try (SocketChannel slow = SocketChannel.open(address)) {
                slow.configureBlocking(false);
                sendUntilStuck(slow, flood);
                exchange(address);
                exchange(address);
                slow.configureBlocking(true);
                int all = flood.position() + 100_000;
                Background<byte[]> reader =
                        Background.run(() -> slow.socket().getInputStream().readNBytes(all));
                flood.limit(all);
                while (flood.hasRemaining()) {
                    slow.write(flood);
                }
                assertArrayEquals(Arrays.copyOf(FLOOD, all), reader.result());
            }
        }
    }

    private static void awaitListening(InetSocketAddress address) throws Exception {
        Patience.until("the program listens", () -> {
            try (Socket socket = new Socket()) {
                socket.connect(address);
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    private static void sendUntilStuck(SocketChannel slow, ByteBuffer flood) throws Exception {
        int[] calm = new int[1];
        Patience.until("the program takes no more", () -> {
            int before = flood.position();
            while (slow.write(flood) > 0) {
                assertTrue(flood.remaining() > 100_000, "the program takes in without end");
            }
            calm[0] = flood.position() == before ? calm[0] + 1 : 0;
            return calm[0] == CALM_LOOKS;
        });
    }

    /** More than its buffers hold, and less than those of the system. */
    private static void exchange(InetSocketAddress address) throws IOException {
        byte[] bytes = RandomBytes.of(5, 50_000);
        try (Socket socket = new Socket()) {
            socket.connect(address);
            socket.setSoTimeout((int) Patience.LIMIT.toMillis());
            socket.getOutputStream().write(bytes);
            assertArrayEquals(bytes, socket.getInputStream().readNBytes(bytes.length));
        }
    }
}
