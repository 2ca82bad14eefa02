package dev.sluice.campaign.memory;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Heap or native memory runs out at any place: when it is available again, all connections are served, and nothing has
 * been lost. {@code -Dsluice.memory.demultiplexer} selects the demultiplexer that a failure names.
 */
@Tag(Campaign.TAG)
@DisabledIfSystemProperty(named = Bindings.PROPERTY, matches = "jna", disabledReason = "the collector frees JNA's"
        + " memory: what it has not got back by the end is not told apart from a leak")
@EnabledOnOs(OS.LINUX)
class MemoryCampaignTest {

    private static final String DEMULTIPLEXER = "sluice.memory.demultiplexer";
    private static final int HEAP_LEFT = 4096;
    private static final int DIRECT_LEFT = 256 * 1024;
    private static final int CALLS_UNTIL_COMPILED = 200;
    /** Connections that are opened while there is no memory. */
    private static final int NEWCOMERS = 4;

    private final Campaign campaign = Campaign.begin("out of memory");

    @Test
    void allAreServedOnReactors() throws Exception {
        play(Mode.SYNCHRONOUS);
    }

    @Test
    void allAreServedOnProactors() throws Exception {
        play(Mode.ASYNCHRONOUS);
    }

    private void play(Mode mode) throws Exception {
        List<String> names = new ArrayList<>(Mechanism.available().stream()
                .filter(factory -> factory.mode() == mode && factory.availability().usable())
                .map(Mechanism::name)
                .filter(name -> System.getProperty(DEMULTIPLEXER, name).equals(name)).toList());
        Collections.shuffle(names, campaign.random(mode.ordinal()));
        List<String> chosen = names.subList(0, Math.min(names.size(), Campaign.count(1, Integer.MAX_VALUE)));
        try (ScarceJvm jvm = new ScarceJvm(ScarceServer.class,
                chosen.stream().map(name -> ScarceServer.argument(mode, name)).toList())) {
            try {
                for (String name : chosen) {
                    new Round(jvm, campaign.random(name.hashCode())).play();
                    System.out.println("out of memory: " + name + " is in order");
                }
                jvm.awaitEnd();
            } catch (AssertionError | Exception e) {
                throw new AssertionError(campaign + ", of " + chosen + "\n" + jvm.output(), e);
            }
        }
    }

    /** One server. */
    private static final class Round {

        private final ScarceJvm jvm;
        private final Random random;
        private final List<ScarceClient> others = new ArrayList<>();
        private int port;

        Round(ScarceJvm jvm, Random random) {
            this.jvm = jvm;
            this.random = random;
        }

        void play() throws Exception {
            String line = jvm.line();
            assertTrue(line.startsWith(ScarceServer.PORT), line);
            port = Integer.parseInt(line.substring(ScarceServer.PORT.length()));
            for (int i = 0; i < 2; i++) {
                others.add(new ScarceClient(port));
            }
            // The JVM compiles the handle of a native function at its 128th call, and without memory the call fails. By
            // turns, because a service goes on reading while its peer sends, and the server needs no wait for that.
            for (int i = 0; i < CALLS_UNTIL_COMPILED; i++) {
                assertTrue(others.get(i % others.size()).echo());
            }
            for (int i = 0; i < Campaign.count(1, 10); i++) {
                hookFails(Order.EXHAUST_HEAP);
                hookFails(Order.EXHAUST_DIRECT);
                nothingIsLeft(Order.HOARD_HEAP, random.nextInt(HEAP_LEFT));
                nothingIsLeft(Order.HOARD_DIRECT, random.nextInt(DIRECT_LEFT));
            }
            try (ScarceClient last = new ScarceClient(port)) {
                last.order(Order.STOP, 0);
                String end = jvm.line();
                assertTrue(ScarceServer.isInOrder(end), end);
            } finally {
                for (ScarceClient other : others) {
                    other.close();
                }
            }
        }

        /** Costs this connection and none of the others. */
        private void hookFails(Order order) throws IOException {
            try (ScarceClient client = new ScarceClient(port)) {
                assertTrue(client.echo(), "served until then");
                assertFalse(client.order(order, 0), () -> "ended by " + order);
            }
            for (ScarceClient other : others) {
                assertTrue(other.echo(), () -> "others are served after " + order);
            }
            newcomerIsServed();
        }

        /** What happens meanwhile may cost connections; who comes afterwards is served. */
        private void nothingIsLeft(Order order, int left) throws IOException {
            List<ScarceClient> newcomers = new ArrayList<>();
            try (ScarceClient client = new ScarceClient(port)) {
                client.order(order, left);
                for (int i = 0; i < NEWCOMERS; i++) {
                    newcomers.add(new ScarceClient(port));
                }
                newcomers.forEach(ScarceClient::echo);
                for (int i = 0; i < others.size(); i++) {
                    if (!others.get(i).echo()) {
                        others.get(i).close();
                        others.set(i, new ScarceClient(port));
                    }
                }
            } finally {
                for (ScarceClient newcomer : newcomers) {
                    newcomer.close();
                }
            }
            newcomerIsServed();
        }

        private void newcomerIsServed() throws IOException {
            // Accepted while there was no memory, it may have to come again.
            for (int i = 0; i < 100; i++) {
                try (ScarceClient newcomer = new ScarceClient(port)) {
                    if (newcomer.echo()) {
                        return;
                    }
                }
            }
            throw new AssertionError("no newcomer is served any more");
        }
    }
}
