package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.RawDatagram;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What an echo of datagrams promises. */
public abstract class UdpEchoContract {

    private static final int[] SIZES = {1, 1400, 2048};

    private final Recipe recipe;

    /**
     * Tests a program.
     *
     * @param recipe the server
     */
    protected UdpEchoContract(Recipe recipe) {
        this.recipe = recipe;
    }

    private static byte[] answer(DatagramSocket peer, byte[] bytes) throws IOException {
        peer.send(new DatagramPacket(bytes, bytes.length));
        DatagramPacket received = new DatagramPacket(new byte[4096], 4096);
        peer.receive(received);
        return Arrays.copyOf(received.getData(), received.getLength());
    }

    private static boolean answers(DatagramSocket peer) {
        try {
            return answer(peer, "are you there?".getBytes()).length > 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static void drain(DatagramSocket peer) throws IOException {
        try {
            while (true) {
                peer.receive(new DatagramPacket(new byte[1], 1));
            }
        } catch (SocketTimeoutException e) {
            assertTrue(peer.isConnected());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void sendsEachDatagramBackAndReportsWhatIsDropped() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (SampleProcess server = SampleProcess.start(recipe.process(Integer.toString(address.getPort())));
                DatagramSocket peer = new DatagramSocket()) {
            peer.connect(address);
            peer.setSoTimeout(200);
            Patience.until("it answers", () -> !server.isAlive() || answers(peer));
            drain(peer);
            peer.setSoTimeout(30_000);
            for (int size : SIZES) {
                byte[] bytes = RandomBytes.of(size, size);
                assertArrayEquals(bytes, answer(peer, bytes));
            }
            RawDatagram.send(0, address, "from port 0".getBytes());
            assertTrue(answers(peer));
            server.output().awaitLine("the report", line -> line.matches("dropped: 0 in, [01] out"));
            server.terminate();
            recipe.awaitStop(server);
        }
    }
}
