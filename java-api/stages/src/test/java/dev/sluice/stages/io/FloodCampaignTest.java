package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.campaign.Campaign;
import dev.sluice.eventloop.OtherThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A flood without end, from a peer that never reads among others: memory stays within bounds, peers that read are
 * served, and each event is accounted for, whether packets are copies or hold the proactor's buffers. {@code
 * -Dsluice.flood.seconds} sets how long each, and {@code -Dsluice.flood.demultiplexer} on what.
 */
@Tag(Campaign.TAG)
@DisabledIfSystemProperty(named = Bindings.PROPERTY, matches = "jna", disabledReason = "the collector frees JNA's"
        + " memory: what it has not got back by the end is not told apart from a leak")
@EnabledOnOs(OS.LINUX)
class FloodCampaignTest {

    private static final String DEMULTIPLEXER = "sluice.flood.demultiplexer";
    private static final Duration LENGTH = Duration.ofSeconds(
            Integer.getInteger("sluice.flood.seconds", Campaign.count(0, 600)));
    private static final int READERS = 3;
    /** In the buffers of a connection. */
    private static final long MORE_THAN_THE_SYSTEM_HOLDS = 64 << 20;
    /** In KiB: the heap, at most 32 MiB of provided buffers, and what a JVM has for itself. */
    private static final long MAX_MEMORY = 400 * 1024;

    private final Campaign campaign = Campaign.begin("flood");

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void memoryIsBoundedAndEachEventIsAccountedFor(boolean lending) throws Exception {
        List<String> arguments = new ArrayList<>();
        if (lending) {
            arguments.add(FloodedEcho.LENDING);
        }
        if (System.getProperty(DEMULTIPLEXER) != null) {
            arguments.add(System.getProperty(DEMULTIPLEXER));
        }
        try (FloodedEchoJvm jvm = new FloodedEchoJvm(arguments)) {
            Flood flood = new Flood(Integer.parseInt(jvm.line(FloodedEcho.PORT)));
            List<AtomicLong> rounds = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                rounds.add(new AtomicLong());
                flood.addReader(campaign.random(i), rounds.get(i));
            }
            flood.addResetter();
            Thread.sleep(LENGTH.toMillis());
            // Without these it is no flood.
            OtherThread.await(() -> flood.resets() > 1 && flood.unread() > MORE_THAN_THE_SYSTEM_HOLDS
                    && rounds.stream().allMatch(count -> count.get() > 0));
            // Peers that read are still served, long after the queues of those that do not read are full.
            List<Long> before = rounds.stream().map(AtomicLong::get).toList();
            OtherThread.await(() -> IntStream.range(0, READERS)
                    .allMatch(reader -> rounds.get(reader).get() > before.get(reader)));
            long peak = jvm.peak();
            flood.end();
            jvm.requestEnd();
            String counts = jvm.line(FloodedEcho.COUNTS);
            System.out.println(campaign + (lending ? ", lending" : "") + ": " + counts + ", " + rounds
                    + " rounds, " + flood.unread() + " bytes not read, " + flood.resets() + " resets, " + peak
                    + " KiB at most");
            assertEquals(FloodedEcho.IN_ORDER, jvm.line(FloodedEcho.ENDED), counts);
            jvm.awaitEnd();
            assertTrue(peak < MAX_MEMORY, () -> peak + " KiB");
            assertTrue(counts.matches(".* failed [1-9]\\d* discarded \\d+ dropped [1-9]\\d*"), counts);
        }
    }
}
