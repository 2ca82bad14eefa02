package dev.sluice.samples.gnutella;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Refusal;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The sample as a process. */
@EnabledOnOs(OS.LINUX)
class GnutellaSampleTest {

    private static final int FLOODS = 8;
    /** Together more than the heap. */
    private static final int FLOOD = (Depth.current() == Depth.VERIFY ? 10 : 16) << 20;
    private static final Pattern COUNTS = Pattern.compile("(\\d+) messages received, (\\d+) sent, .*dropped: (.*);");

    @Test
    void routesBetweenProcessesAndSaysGoodbyeAtTheEnd() throws Exception {
        try (RunningSample first = SampleCommand.of("gnutella", "--port", "0").start();
                Servent here = Servent.connect(first.awaitAddress())) {
            int port = first.awaitAddress().getPort();
            try (RunningSample second = SampleCommand.of("gnutella", "--port", "0", "--connect", "127.0.0.1:" + port,
                    "--keep", "1").start(); Servent there = greeted(second.awaitAddress(), Servent.BYE)) {
                // From now on it is a neighbour.
                there.fence();
                // The second one, now a neighbour of the first, asks who is there.
                assertEquals(WirePacket.PING, here.receive().type());
                WirePacket query = WirePacket.query(7, 0, "across");
                here.send(query);
                assertEquals(query.withTtl(5, 2), there.await(WirePacket.QUERY));
                Background<Object> stop = stop(second);
                List<WirePacket> last = there.receiveAll();
                assertEquals(200, last.get(last.size() - 1).byeCode());
                there.close();
                stop.result();
            }
            here.close();
            first.stop();
        }
    }

    @Test
    void answersWhatItHasAcceptedBeforeItStops() throws Exception {
        try (RunningSample router = SampleCommand.of("gnutella", "--port", "0", "--query-delay", "200").start();
                Servent talker = Servent.connect(router.awaitAddress())) {
            Servent listener = Servent.connect(router.awaitAddress());
            // While the first one is slept on, the others wait.
            for (int i = 0; i < 5; i++) {
                talker.send(WirePacket.query(2, 0, "song " + i));
            }
            listener.receive();
            Background<Object> stop = stop(router);
            List<WirePacket> answers = listener.receiveAll();
            listener.close();
            talker.close();
            stop.result();
            Matcher counts = COUNTS.matcher(router.errors().text());
            assertTrue(counts.find(), router.errors()::text);
            assertEquals("none", counts.group(3));
            // All that it has received it has sent on, and a ping to each.
            assertEquals(Integer.parseInt(counts.group(1)) + 2, Integer.parseInt(counts.group(2)));
            assertEquals(Integer.parseInt(counts.group(1)), answers.size() + 1);
        }
    }

    @Test
    void sendsAllPongsIfItStopsWhilePeersSend() throws Exception {
        WirePacket[] pings = Stream.generate(() -> WirePacket.ping(1, 0)).limit(2000).toArray(WirePacket[]::new);
        try (RunningSample router = SampleCommand.of("gnutella", "--port", "0", "--query-delay", "200").start();
                Servent talker = Servent.withSmallBuffer(router.awaitAddress(), Servent.BYE);
                Servent listener = Servent.connect(router.awaitAddress())) {
            talker.send(pings);
            // While one is slept on, the others wait.
            talker.send(WirePacket.query(2, 0, "first"), WirePacket.query(2, 0, "second"),
                    WirePacket.query(2, 0, "third"));
            assertEquals(WirePacket.QUERY, listener.receive().type());
            Background<Object> stop = stop(router);
            Refusal.await(router.awaitAddress());
            // Whether it is read or not.
            WirePacket late = WirePacket.ping(1, 0);
            talker.send(late, late, late);
            for (WirePacket ping : pings) {
                assertEquals(WirePacket.pong(ping, 1, router.awaitAddress()), talker.receive());
            }
            WirePacket last = talker.await(WirePacket.BYE);
            assertEquals(200, last.byeCode());
            assertNull(talker.receive());
            assertEquals(WirePacket.QUERY, listener.receive().type());
            assertEquals(WirePacket.QUERY, listener.receive().type());
            assertNull(listener.receive());
            talker.close();
            listener.close();
            stop.result();
        }
    }

    /** Asks a router to stop, which waits for its neighbours to close their connections. */
    private static Background<Object> stop(RunningSample router) {
        return Background.run(() -> {
            router.stop();
            return null;
        });
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void survivesAFloodWithLittleMemory() throws Exception {
        try (RunningSample router = SampleCommand.of("gnutella", "--port", "0").withOption("-Xmx64m")
                .withOption("-XX:+ExitOnOutOfMemoryError").start()) {
            InetSocketAddress address = router.awaitAddress();
            List<Background<Object>> floods = new ArrayList<>();
            for (int i = 0; i < FLOODS; i++) {
                floods.add(Background.run(() -> flood(address)));
            }
            for (Background<Object> flood : floods) {
                flood.result();
            }
            try (Servent asker = greeted(address)) {
                // What the flood has left in queues comes here as well.
                while (!asker.fence().isEmpty()) {
                    assertTrue(router.isAlive());
                }
                Servent answerer = greeted(address);
                WirePacket query = WirePacket.query(7, 0, "still there?");
                asker.send(query);
                WirePacket arrived = answerer.await(WirePacket.QUERY);
                while (!arrived.equals(query.hop())) {
                    arrived = answerer.await(WirePacket.QUERY);
                }
                answerer.close();
            }
            router.stop();
        }
    }

    /** A neighbour to whom others' messages may come first. */
    private static Servent greeted(InetSocketAddress address, String... headers) throws IOException {
        Servent servent = Servent.silent(address);
        servent.greet(headers);
        return servent;
    }

    /** Sends as fast as it can and never reads, again and again, since it is closed for that. */
    private static Object flood(InetSocketAddress address) throws IOException {
        WirePacket[] all = new WirePacket[100];
        for (int sent = 0; sent < FLOOD;) {
            try (Servent notReading = greeted(address)) {
                while (sent < FLOOD) {
                    for (int i = 0; i < all.length; i++) {
                        all[i] = i % 2 == 0 ? WirePacket.query(7, 0, "x".repeat(4000)) : WirePacket.ping(7, 0);
                    }
                    notReading.send(all);
                    sent += all.length * 2000;
                }
            } catch (IOException e) {
                sent += all.length * 2000;
            }
        }
        return null;
    }

    @Test
    void showsItsStages() throws Exception {
        try (RunningSample router = SampleCommand.of("gnutella", "--port", "0", "--status", "0").start()) {
            Matcher page = Pattern.compile("http://\\S+")
                    .matcher(router.errors().awaitLine("the address of the page", line -> line.contains("http://")));
            assertTrue(page.find(), router.errors()::text);
            URI json = URI.create(page.group() + ".json");
            URLConnection connection = json.toURL().openConnection();
            // Otherwise Java keeps it open, and the server waits for it at its stop.
            connection.setRequestProperty("Connection", "close");
            String stages;
            try (InputStream in = connection.getInputStream()) {
                stages = new String(in.readAllBytes(), UTF_8);
            }
            assertTrue(stages.contains("GnutellaServer") && stages.contains("GnutellaRouter")
                    && stages.contains("GnutellaCatcher"), stages);
            assertTrue(stages.contains("\"means\":{\"ping service time\":0.0,\"query service time\":0.0}"), stages);
            router.stop();
        }
    }
}
