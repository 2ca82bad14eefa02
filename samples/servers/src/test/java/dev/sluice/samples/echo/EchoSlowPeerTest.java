package dev.sluice.samples.echo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.FloodingPeer;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Peers that send and do not read. */
@EnabledOnOs(OS.LINUX)
class EchoSlowPeerTest {

    private static final int PEERS = Depth.times(5, 5, 10, 50);
    private static final int MAX_MEBIBYTES = 40;

    private static final byte[] FLOOD = RandomBytes.of(4, FloodingPeer.FLOOD);

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.echo.EchoServers#patterns")
    void costLittleAndDelayNoOtherPeer(EchoServers.EchoServer server) throws Exception {
        List<FloodingPeer> peers = new ArrayList<>();
        try (SampleProcess echo = server.command("--port", "0").startProcess();
                EchoClient other = new EchoClient(echo.awaitAddress())) {
            InetSocketAddress address = echo.awaitAddress();
            other.exchange(RandomBytes.of(5, 50_000));
            long before = echo.figures().residentMebibytes();
            for (int i = 0; i < PEERS; i++) {
                peers.add(new FloodingPeer(address, ByteBuffer.wrap(FLOOD)));
            }
            FloodingPeer.untilStuck(peers, echo);
            long after = echo.figures().residentMebibytes();
            assertTrue(after - before < MAX_MEBIBYTES,
                    () -> before + " MiB before, " + after + " MiB with slow peers");
            other.exchange(RandomBytes.of(6, 50_000));
            try (EchoClient late = new EchoClient(address)) {
                late.exchange(RandomBytes.of(7, 50_000));
            }
        } finally {
            for (FloodingPeer peer : peers) {
                peer.close();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.echo.EchoServers#some")
    void getEverythingOnceTheyRead(EchoServers.EchoServer server) throws Exception {
        try (RunningSample echo = server.command("--port", "0").start();
                FloodingPeer peer = new FloodingPeer(echo.awaitAddress(), ByteBuffer.wrap(FLOOD))) {
            peer.untilStuck(echo);
            int all = peer.sent() + (1 << 20);
            Background<byte[]> reader = Background.run(() -> peer.blocking().socket().getInputStream().readAllBytes());
            peer.finish(all);
            assertArrayEquals(Arrays.copyOf(FLOOD, all), reader.result());
            echo.stop();
        }
    }
}
