package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.Campaign;
import dev.sluice.samples.Background;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** As many neighbours as there may be who send without end and never read, and a router with a heap of 64 MiB. */
@Tag(Campaign.TAG)
@Tag(Depth.IN_MATRIX)
@EnabledIfSystemProperty(named = "sluice.tests.depth", matches = "campaign", disabledReason = "a neighbour that is too"
        + " busy to read is closed, as the honest ones of this test may be beside others")
@EnabledOnOs(OS.LINUX)
class GnutellaFloodTest {

    private static final Duration LENGTH = Duration.ofSeconds(
            Integer.getInteger("sluice.flood.seconds", Campaign.count(3, 300)));
    private static final int NEIGHBOURS = 64;
    /** Beside those who flood, one who asks and one who answers; then there is no place left, but others try. */
    private static final int FLOODS = NEIGHBOURS;
    private static final int ONES_WHO_SAY_NOTHING = 20;

    private final Set<Servent> open = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    @Test
    void neighboursWhoNeverReadDoNotEndIt() throws Exception {
        Campaign.begin("flood of gnutella");
        try (RunningSample router = SampleCommand.of("gnutella", "--port", "0", "--keep", "0", "--neighbours",
                Integer.toString(NEIGHBOURS)).withOption("-Xmx64m").withOption("-XX:+ExitOnOutOfMemoryError").start()) {
            InetSocketAddress address = router.awaitAddress();
            Servent asker = Servent.connect(address);
            Servent answerer = Servent.connect(address);
            List<Background<Object>> floods = new ArrayList<>();
            for (int i = 0; i < FLOODS; i++) {
                byte[] all = flood(i);
                floods.add(Background.run(() -> flood(address, all)));
            }
            for (int i = 0; i < ONES_WHO_SAY_NOTHING; i++) {
                open.add(Servent.silent(address));
            }
            long end = System.nanoTime() + LENGTH.toNanos();
            Background<Object> reading = Background.run(() -> discard(asker));
            int arrived = 0;
            while (arrived == 0 || System.nanoTime() - end < 0) {
                try {
                    ask(asker, answerer);
                } catch (IOException e) {
                    throw new AssertionError(router.output().text() + router.errors().text(), e);
                }
                arrived++;
            }
            over = true;
            for (Servent each : open) {
                each.close();
            }
            for (Background<Object> flood : floods) {
                flood.result();
            }
            // Without other neighbours, too.
            ask(asker, answerer);
            assertTrue(router.isAlive(), router.errors()::text);
            asker.endOutput();
            reading.result();
            asker.close();
            answerer.close();
            router.stop();
        }
    }

    private static Object discard(Servent servent) throws IOException {
        WirePacket next = servent.receive();
        while (next != null) {
            next = servent.receive();
        }
        return null;
    }

    /** Asks until it arrives: there may be too much for the answerer. */
    private static void ask(Servent asker, Servent answerer) throws IOException {
        while (true) {
            WirePacket query = WirePacket.query(7, 0, "still there?");
            WirePacket next = WirePacket.ping(1, 0);
            asker.send(query);
            answerer.send(next);
            WirePacket arrived = received(answerer);
            while (!arrived.equals(query.hop()) && !arrived.guid().equals(next.guid())) {
                arrived = received(answerer);
            }
            if (arrived.equals(query.hop())) {
                return;
            }
        }
    }

    private static WirePacket received(Servent servent) throws IOException {
        WirePacket next = servent.receive();
        assertNotNull(next, "closed, or at its end");
        return next;
    }

    /** Of several kinds: what goes to all others, what goes nowhere, and what never comes to its end. */
    private static byte[] flood(int kind) {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            WirePacket next = switch (kind % 4) {
                case 0 -> WirePacket.query(7, 0, "x".repeat(4000));
                case 1 -> WirePacket.ping(7, 0);
                case 2 -> new WirePacket(WirePacket.newGuid(), WirePacket.HITS, 5, 0, "00".repeat(65_536));
                default -> new WirePacket(WirePacket.newGuid(), WirePacket.PUSH, 5, 0, "00".repeat(4096));
            };
            all.add(next.bytes());
        }
        int size = all.stream().mapToInt(each -> each.length).sum();
        byte[] bytes = new byte[size - (kind % 8 == 2 ? 1 : 0)];
        int at = 0;
        for (byte[] each : all) {
            int count = Math.min(each.length, bytes.length - at);
            System.arraycopy(each, 0, bytes, at, count);
            at += count;
        }
        return bytes;
    }

    /** Sends as fast as it can and never reads, again and again, since it is closed for that. */
    private Object flood(InetSocketAddress address, byte[] bytes) {
        byte[] all = bytes.clone();
        while (!over) {
            try (Servent notReading = Servent.silent(address)) {
                open.add(notReading);
                notReading.greet(Servent.BYE);
                while (!over) {
                    for (int at = 0; at + Long.BYTES < all.length; at += all.length / 50) {
                        // Each time other messages.
                        Arrays.fill(all, at, at + Long.BYTES, (byte) System.nanoTime());
                    }
                    notReading.write(all);
                }
                open.remove(notReading);
            } catch (IOException | AssertionError e) {
                // It was closed, or there is no room at the moment.
            }
        }
        return null;
    }
}
