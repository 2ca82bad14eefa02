package dev.sluice.samples.first;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RawDatagram;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The README's server of datagrams. */
@EnabledOnOs(OS.LINUX)
class FirstDatagramTest {

    /** How long to wait for an answer before the question is repeated. */
    private static final int LOST_MILLIS = 200;

    @Test
    void oneThatCannotBeAnsweredEndsNothing() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (RunningSample running = SampleCommand.of().withMain(FirstDatagram.class.getName())
                .withOption("-Dport=" + address.getPort()).start()) {
            assertAnswers(address, "before");
            RawDatagram.send(0, address, "from port 0".getBytes());
            assertAnswers(address, "after");
        }
    }

    private static void assertAnswers(InetSocketAddress server, String text) throws Exception {
        try (DatagramSocket client = new DatagramSocket()) {
            client.connect(server);
            client.setSoTimeout(LOST_MILLIS);
            Patience.until("the program answers", () -> isAnswered(client, text.getBytes()));
        }
    }

    private static boolean isAnswered(DatagramSocket client, byte[] content) throws IOException {
        DatagramPacket answer = new DatagramPacket(new byte[100], 100);
        try {
            client.send(new DatagramPacket(content, content.length));
            client.receive(answer);
        } catch (SocketTimeoutException | PortUnreachableException e) {
            return false;
        }
        assertArrayEquals(content, Arrays.copyOf(answer.getData(), answer.getLength()));
        return true;
    }
}
