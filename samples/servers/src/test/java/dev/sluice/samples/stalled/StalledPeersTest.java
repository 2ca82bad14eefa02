package dev.sluice.samples.stalled;

import dev.sluice.campaign.Campaign;
import dev.sluice.samples.Patience;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Peers stop sending after each octet of a dialogue, and stop reading after each octet of the answers. Others are
 * served meanwhile, and the server ends in order, with nothing left open.
 */
@Tag(Campaign.TAG)
@EnabledOnOs(OS.LINUX)
class StalledPeersTest {

    /** Number of peers of a server that stop sending, and that stop reading. */
    private static final int SENDING = Campaign.count(6, Integer.MAX_VALUE);
    private static final int READING = Campaign.count(3, Integer.MAX_VALUE);
    /** The octets after which peers stop sending, or reading, at most; each server answers more. */
    private static final int MAX_SENT = 2000;
    private static final int MAX_READ = 300;
    /** More than a server has threads, but for a pool of which each client holds one. */
    private static final int STALLED = 10;

    @TempDir
    private Path directory;

    private final Deque<StallingPeer> stalled = new ArrayDeque<>();

    private static Stream<String> with(TestInfo test, String sample, Predicate<ConcurrencyStrategy> served) {
        List<String> all = new ArrayList<>(Stream.of(ConcurrencyStrategy.values())
                .filter(each -> each.unavailable() == null && served.test(each)).map(each -> sample + " --concurrency "
                        + each + (hasFewThreads(each) ? " --threads 2" : "")).toList());
        // So that an ordinary build takes another one for each sample.
        Collections.rotate(all, sample.hashCode());
        return Depth.some(test, all.stream(), 1);
    }

    private static boolean hasFewThreads(ConcurrencyStrategy concurrency) {
        return concurrency.defaultThreads() != 0 && concurrency != ConcurrencyStrategy.THREAD_POOL;
    }

    private static boolean isReactive(ConcurrencyStrategy concurrency) {
        return concurrency.waits() != ConcurrencyStrategy.Waits.IN_PROACTOR;
    }

    /**
     * When a peer stops.
     *
     * @param text   what it sends
     * @param octets of the text or of the answer
     */
    private record Stop(byte[] text, int octets) { }

    static Stream<String> servers(TestInfo test) {
        return Stream.of(with(test, "echo", each -> each != ConcurrencyStrategy.CONCURRENT_PROACTOR),
                with(test, "web", each -> true), with(test, "gopher", each -> true),
                Depth.some(test, Stream.of("haboob --stages coarse", "haboob --stages paper"), 1),
                with(test, "oltp-back", StalledPeersTest::isReactive),
                with(test, "oltp-front", StalledPeersTest::isReactive),
                Stream.of("logging", "gnutella", "hybrid", "levels", "control", "status")).flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void othersAreServedWhereverPeersStop(String server) throws Exception {
        Campaign campaign = Campaign.begin("stalled peers of " + server);
        Random random = campaign.random(0);
        try (Subject subject = Subject.start(server, directory); AutoCloseable peers = () -> leave(random, 0)) {
            subject.serveGoodClient();
            long sockets = subject.openSockets();
            for (Stop each : stops(random, subject.dialogues(), SENDING, MAX_SENT)) {
                serveBeside(subject, random, campaign + ": stops sending after " + each.octets + " octets",
                        peer -> peer.say(each.text, each.octets));
            }
            for (Stop each : stops(random, subject.floods(), READING, MAX_READ)) {
                serveBeside(subject, random, campaign + ": stops reading after " + each.octets + " octets", peer -> {
                    peer.flood(each.text);
                    peer.hear(each.octets);
                });
            }
            if (random.nextBoolean()) {
                peers.close();
                Patience.until(() -> campaign + ": more than " + sockets + " sockets",
                        () -> subject.openSockets() <= sockets);
            }
            subject.stop();
        }
    }

    /** {@return all there are, or some of them by chance} */
    private static List<Stop> stops(Random random, List<byte[]> texts, int count, int maximum) {
        List<Stop> all = new ArrayList<>();
        for (byte[] text : texts) {
            for (int octets = 0; octets <= Math.min(text.length, maximum); octets++) {
                all.add(new Stop(text, octets));
            }
        }
        Collections.shuffle(all, random);
        return all.subList(0, Math.min(count, all.size()));
    }

    /** What a peer does before it stops. */
    @FunctionalInterface
    private interface Conduct {
        void of(StallingPeer peer) throws IOException;
    }

    private void serveBeside(Subject subject, Random random, String what, Conduct conduct) {
        try {
            StallingPeer peer = StallingPeer.connect(subject.address());
            stalled.add(peer);
            try {
                conduct.of(peer);
                if (random.nextInt(4) == 0) {
                    peer.endOutput();
                }
            } catch (IOException e) {
                // The server need not stand it.
            }
            if (random.nextInt(4) == 0) {
                stalled.remove(peer);
                end(peer, random);
            }
            subject.serveGoodClient();
            leave(random, STALLED);
        } catch (Throwable e) {
            throw new AssertionError(what, e);
        }
    }

    private void leave(Random random, int maximum) throws IOException {
        while (stalled.size() > maximum) {
            end(stalled.remove(), random);
        }
    }

    private static void end(StallingPeer peer, Random random) throws IOException {
        if (random.nextBoolean()) {
            peer.reset();
        } else {
            peer.close();
        }
    }
}
