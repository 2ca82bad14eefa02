package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.gnutella.message.Message;
import dev.sluice.samples.gnutella.message.Messages;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long those that are behind are waited for. */
class DeparturesTest {

    /** Much longer than this test may take, also the part of it for which one that takes nothing is waited for. */
    private static final Duration TOLERANCE = Duration.ofDays(1);
    private static final long LONGEST_WAIT = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int DROPPED = 100;

    @Test
    @Timeout(60)
    void allTogetherNoLongerThanForAWhile() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                CatcherStages stages = new CatcherStages(TOLERANCE,
                        (InetSocketAddress) listener.getLocalSocketAddress())) {
            stages.deliver(Tick.TICK);
            try (Servent notReading = Servent.accepted(listener)) {
                notReading.readHead();
                Peer peer = stages.peers().all().iterator().next();
                TrafficCounts counts = new TrafficCounts();
                Departures departures = new Departures(stages.peers(), counts, 0, LONGEST_WAIT);
                Message message = Messages.bye(200, "x".repeat(1000));
                while (counts.dropped(DropReason.BEHIND) < DROPPED) {
                    departures.send(message, peer);
                    departures.flush();
                }
                assertEquals(0, counts.closed(ByeReason.TOO_SLOW));
            }
        }
    }
}
