package dev.sluice.samples.echo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FloodingPeer;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.Refusal;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.samples.TcpState;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a server ends that is asked to. */
@EnabledOnOs(OS.LINUX)
class EchoStopTest {

    private static final String SERVERS = "dev.sluice.samples.echo.EchoServers#";
    private static final String GRACE = "0.3";
    private static final Duration MARGIN = Duration.ofSeconds(15);

    @ParameterizedTest
    @MethodSource(SERVERS + "varied")
    void endsInOrderWhenTerminated(EchoServers.EchoServer server) throws Exception {
        try (RunningSample echo = server.command("--port", "0", "--threads", "2").start();
                EchoClient client = new EchoClient(echo.awaitAddress());
                EchoClient other = new EchoClient(echo.awaitAddress())) {
            client.exchange(RandomBytes.of(9, 1000));
            other.exchange(RandomBytes.of(10, 1000));
            echo.terminate();
            client.expectEnd();
            other.expectEnd();
            // The server waits for this where it has not yet heard that the echo has been sent.
            client.close();
            other.close();
            assertEquals(0, echo.awaitExit());
            assertEquals(1, echo.output().lines().size());
            assertEquals("", echo.errors().text());
        }
    }

    @Test
    void endsInOrderWhenInterrupted() throws Exception {
        try (RunningSample echo = SampleCommand.of("echo", "--port", "0").start();
                EchoClient client = new EchoClient(echo.awaitAddress())) {
            client.exchange(RandomBytes.of(9, 1000));
            echo.interrupt();
            client.expectEnd();
            client.close();
            assertEquals(0, echo.awaitExit());
            assertEquals("", echo.errors().text());
        }
    }

    @ParameterizedTest
    @MethodSource(SERVERS + "kindsAndStrategies")
    void echoesWhatItHadReceived(EchoServers.EchoServer server) throws Exception {
        byte[] bytes = RandomBytes.of(11, 40_000);
        try (SampleProcess echo = server.command("--port", "0").startProcess();
                EchoClient client = new EchoClient(echo.awaitAddress())) {
            int port = echo.awaitAddress().getPort();
            // Stopped, so that all of it is still in its socket's buffer when it is told to end.
            client.exchange(RandomBytes.of(12, 8));
            echo.suspend();
            client.send(bytes);
            Patience.until("it has arrived",
                    () -> TcpState.connectionsTo(port).get(client.localPort()).unacknowledged() == 0);
            echo.terminate();
            echo.resume();
            assertArrayEquals(bytes, client.receiveAll());
            client.close();
            assertEquals(0, echo.awaitExit());
        }
    }

    @ParameterizedTest
    @MethodSource(SERVERS + "lingering")
    void echoesWhatItHadReceivedToASlowReader(EchoServers.EchoServer server) throws Exception {
        byte[] flood = RandomBytes.of(13, FloodingPeer.FLOOD);
        try (RunningSample echo = server.command("--port", "0").start();
                FloodingPeer peer = new FloodingPeer(echo.awaitAddress(), ByteBuffer.wrap(flood))) {
            InetSocketAddress address = echo.awaitAddress();
            peer.untilStuck(echo);
            int delivered = peer.delivered();
            echo.terminate();
            Refusal.await(address);
            ByteBuffer echoed = ByteBuffer.allocate(flood.length);
            readToTheEnd(peer.blocking().socket().getInputStream(), echoed);
            assertTrue(echoed.position() >= delivered,
                    () -> echoed.position() + " of " + delivered + " bytes that were received");
            int length = echoed.position();
            assertArrayEquals(Arrays.copyOf(flood, length), Arrays.copyOf(echoed.array(), length));
            peer.close();
            assertEquals(0, echo.awaitExit());
        }
    }

    @ParameterizedTest
    @MethodSource(SERVERS + "varied")
    void closesConnectionsAtTheSecondInterrupt(EchoServers.EchoServer server) throws Exception {
        try (RunningSample echo = server.command("--port", "0", "--stop-timeout", "3600").start();
                FloodingPeer peer = new FloodingPeer(echo.awaitAddress(), ByteBuffer.allocate(FloodingPeer.FLOOD))) {
            peer.untilStuck(echo);
            echo.interrupt();
            Refusal.await(echo.awaitAddress());
            assertTrue(echo.isAlive());
            echo.interrupt();
            assertEquals(0, echo.awaitExit());
        }
    }

    // What was sent too late to be echoed may be answered by a reset.
    private static void readToTheEnd(InputStream input, ByteBuffer target) throws IOException {
        byte[] piece = new byte[1000];
        try {
            for (int length = input.read(piece); length >= 0; length = input.read(piece)) {
                target.put(piece, 0, length);
            }
        } catch (SocketException e) {
            assertTrue(target.position() > 0, e::toString);
        }
    }

    @Test
    void doesNotWaitForeverForAPeerThatNeverReads() throws Exception {
        try (RunningSample echo = SampleCommand.of("echo", "--port", "0", "--stop-timeout", GRACE).start();
                FloodingPeer peer = new FloodingPeer(echo.awaitAddress(), ByteBuffer.allocate(FloodingPeer.FLOOD));
                EchoClient client = new EchoClient(echo.awaitAddress())) {
            client.exchange(new byte[] {1});
            peer.untilStuck(echo);
            long start = System.nanoTime();
            echo.terminate();
            Refusal.await(echo.awaitAddress());
            client.expectEnd();
            assertEquals(0, echo.awaitExit());
            Duration taken = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(taken.compareTo(MARGIN) < 0, taken::toString);
            assertEquals(1, echo.errors().lines().size(), echo.errors()::text);
        }
    }
}
