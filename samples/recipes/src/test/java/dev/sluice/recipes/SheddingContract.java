package dev.sluice.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleProcess;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.BitSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a server that sheds load promises. */
public abstract class SheddingContract {

    private static final int REQUESTS = 50_000;

    private final Recipe recipe;

    /**
     * Tests a program.
     *
     * @param recipe the server
     */
    protected SheddingContract(Recipe recipe) {
        this.recipe = recipe;
    }

    /** {@return the numbers of the requests that have been answered, each once} */
    private static BitSet answered(Socket peer, int maximum) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(peer.getInputStream(), UTF_8));
        BitSet numbers = new BitSet();
        while (numbers.cardinality() < maximum) {
            String line = in.readLine();
            if (line == null) {
                break;
            }
            String[] words = line.split(" ");
            assertTrue(words[0].equals("done") || words[0].equals("busy") || words[0].equals("late"), line);
            int number = Integer.parseInt(words[1]);
            assertTrue(!numbers.get(number), line);
            numbers.set(number);
        }
        return numbers;
    }

    private static byte[] requests() {
        return IntStream.range(0, REQUESTS).mapToObj(Integer::toString).collect(Collectors.joining("\n", "", "\n"))
                .getBytes(UTF_8);
    }

    private static Socket connect(InetSocketAddress address) throws Exception {
        Socket peer = new Socket(address.getAddress(), address.getPort());
        peer.setSoTimeout((int) Patience.LIMIT.toMillis());
        return peer;
    }

    @Test
    void answersEachRequestOnceUnderOverload() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = recipe.listening(address); Socket peer = connect(address)) {
            Background<BitSet> reader = Background.run(() -> answered(peer, REQUESTS));
            peer.getOutputStream().write(requests());
            assertEquals(REQUESTS, reader.result().cardinality());
            assertTrue(server.isAlive());
            assertEquals("", server.errors().text());
        }
    }

    @Test
    void answersAPeerThatHasShutDownItsOutput() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = recipe.listening(address); Socket peer = connect(address)) {
            Background<BitSet> reader = Background.run(() -> answered(peer, Integer.MAX_VALUE));
            peer.getOutputStream().write(requests());
            peer.shutdownOutput();
            assertEquals(REQUESTS, reader.result().cardinality());
            assertTrue(server.isAlive());
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process there gets no SIGTERM")
    void answersWhatItHasTakenWhenItIsStopped() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = recipe.listening(address); Socket peer = connect(address)) {
            peer.getOutputStream().write("1\n2\n3\n".getBytes(UTF_8));
            BitSet all = answered(peer, 3);
            server.terminate();
            assertEquals(0, answered(peer, 1).cardinality());
            peer.close();
            assertEquals(3, all.cardinality());
            recipe.awaitStop(server);
        }
    }
}
