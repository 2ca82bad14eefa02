package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages that come faster than they are routed. */
class OverloadTest {

    /** No test waits for the end of it. */
    private static final Duration FOR_EVER = Duration.ofHours(1);

    /** A router whose only thread sleeps on a query, so that nothing else leaves its queue. */
    private static Servent talkToSleeping(RunningRouter router) throws Exception {
        Servent talker = router.neighbour();
        talker.send(WirePacket.query(1, 0, "sleep"));
        // The first event was to greet the neighbour.
        Patience.until("it sleeps", () -> router.stage(GnutellaRouter.NAME).accepted() == 2
                && router.stage(GnutellaRouter.NAME).length() == 0);
        return talker;
    }

    private static WirePacket[] pings(int count) {
        WirePacket[] pings = new WirePacket[count];
        for (int i = 0; i < count; i++) {
            pings[i] = WirePacket.ping(1, 0);
        }
        return pings;
    }

    private static WirePacket[] queries(int count, int ttl) {
        WirePacket[] queries = new WirePacket[count];
        for (int i = 0; i < count; i++) {
            queries[i] = WirePacket.query(ttl, 0, "song " + i);
        }
        return queries;
    }

    private static long queueLength(RunningRouter router) {
        return router.stage(GnutellaRouter.NAME).length();
    }

    /** Waits until all but the one that is slept on wait or have been dropped. */
    private static void awaitAll(RunningRouter router, int count) throws Exception {
        Patience.until(() -> queueLength(router) + " wait, dropped " + router.dropped(DropReason.OVERLOAD),
                () -> queueLength(router) + router.dropped(DropReason.OVERLOAD) == count);
    }

    @Test
    void messagesBeyondTheQueueAreDropped() throws Exception {
        try (RunningRouter router =
                RunningRouter.with().queue(16, OverloadPolicy.DROP).queryDelay(FOR_EVER).start()) {
            talkToSleeping(router).send(pings(100));
            awaitAll(router, 100);
            assertEquals(84, router.dropped(DropReason.OVERLOAD));
        }
    }

    /** What one sends too fast waits with him, and neither fills the queue nor delays others. */
    @Test
    void aNeighbourIsReadNoFasterThanTheRate() throws Exception {
        int flood = 4_000;
        try (RunningRouter router = RunningRouter.with().packetRate(1).start()) {
            Servent flooding = router.neighbour();
            Servent other = router.neighbour();
            flooding.send(pings(flood));
            Patience.until("some come", () -> router.counts().received.sum() > 0);
            other.send(WirePacket.query(1, 0, "song"));
            Patience.until("others come", () -> router.stage(GnutellaRouter.NAME).length() == 0
                    && router.counts().received.sum() > 1);
            // All of them would take twenty seconds, at 4 KiB in each.
            assertTrue(router.counts().received.sum() < flood, () -> "received " + router.counts().received);
            assertEquals(0, router.dropped(DropReason.OVERLOAD));
        }
    }

    @Test
    void pingsAndQueriesHaveServiceTimesOfTheirOwn() throws Exception {
        try (RunningRouter router = RunningRouter.with().timed().queryDelay(Duration.ofMillis(20)).start()) {
            Servent talker = router.neighbour();
            talker.send(pings(3));
            talker.send(queries(2, 1));
            Patience.until("all are served", () -> router.counts().queries().count() == 2);
            assertEquals(3, router.counts().pings().count());
            // A sleep is never shorter.
            assertTrue(router.counts().queries().mean() >= 20, () -> router.counts().toString());
            assertTrue(router.counts().toString().contains("; service: pings 3 of "), router.counts()::toString);
            assertEquals(List.of("ping service time", "query service time"),
                    List.copyOf(router.counts().means().keySet()));
            assertEquals(router.counts().queries().mean(),
                    router.counts().means().get("query service time").getAsDouble());
        }
    }

    @Test
    void someAreDroppedAtRandomBeforeTheQueueIsFull() throws Exception {
        try (RunningRouter router =
                RunningRouter.with().queue(1024, OverloadPolicy.RED).queryDelay(FOR_EVER).start()) {
            Servent talker = talkToSleeping(router);
            // All neighbours share the first quarter of the queue.
            talker.send(pings(256));
            awaitAll(router, 256);
            assertEquals(0, router.dropped(DropReason.OVERLOAD));
            talker.send(pings(744));
            awaitAll(router, 1000);
            long dropped = router.dropped(DropReason.OVERLOAD);
            assertTrue(dropped > 0 && dropped < 744, () -> dropped + " dropped");
            // That a peer has ended is no message.
            talker.endOutput();
            Patience.until("its end waits", () -> queueLength(router) == 1000 - dropped + 1);
        }
    }

    @Test
    void queriesCostMoreCredits() throws Exception {
        try (RunningRouter router =
                RunningRouter.with().queue(64, OverloadPolicy.CREDITS).queryDelay(FOR_EVER).start()) {
            Servent talker = talkToSleeping(router);
            // The one that is slept on has taken 10 of 64.
            talker.send(queries(10, 1));
            awaitAll(router, 10);
            assertEquals(5, queueLength(router));
            talker.send(pings(10));
            awaitAll(router, 20);
            assertEquals(5 + 4, queueLength(router));
        }
    }

    @Test
    void queriesAloneAreFilteredWhileTheQueueIsMoreThanHalfFull() throws Exception {
        try (RunningRouter router = RunningRouter.with().queue(256, OverloadPolicy.FILTER_QUERIES)
                .queryDelay(Duration.ofMillis(5)).start()) {
            Servent talker = router.neighbour();
            WirePacket[] pings = pings(40);
            // Never too many for the queue: what is dropped has been filtered.
            talker.send(queries(200, 1));
            talker.send(pings);
            // No ping is missing.
            for (WirePacket ping : pings) {
                assertEquals(WirePacket.pong(ping, 1, router.address()), talker.receive());
            }
            long filtered = router.dropped(DropReason.OVERLOAD);
            assertTrue(filtered > 0 && filtered < 200, () -> filtered + " of 200 filtered");
            assertEquals(200 - filtered, router.counts().spent.sum() - 40);
            // Now that there is room again, none is.
            talker.send(queries(3, 1));
            assertEquals(List.of(), talker.fence());
            assertEquals(filtered, router.dropped(DropReason.OVERLOAD));
        }
    }

    @Test
    void throttledNeighbourLosesNothing() throws Exception {
        try (RunningRouter router = RunningRouter.with().queue(16, OverloadPolicy.THROTTLE).start()) {
            Servent talker = router.neighbour();
            WirePacket[] pings = pings(20_000);
            Background<Object> sending = Background.run(() -> {
                talker.send(pings);
                return null;
            });
            for (WirePacket ping : pings) {
                assertEquals(WirePacket.pong(ping, 1, router.address()), talker.receive());
            }
            sending.result();
            assertEquals(0, router.dropped(DropReason.OVERLOAD));
        }
    }

    @Test
    void moreThanAFewLongMessagesAtATimeAreDropped() throws Exception {
        try (RunningRouter router =
                RunningRouter.with().queue(1024, OverloadPolicy.THROTTLE).queryDelay(FOR_EVER).start()) {
            Servent talker = talkToSleeping(router);
            WirePacket hits = new WirePacket(WirePacket.newGuid(), WirePacket.HITS, 5, 0, "00".repeat(5000));
            for (int i = 0; i < 100; i++) {
                talker.send(hits);
            }
            awaitAll(router, 100);
            assertEquals(RouterOptions.MAX_LARGE, queueLength(router));
        }
    }

    @Test
    void theThreadPoolControllerFindsOutThatOneThreadIsNotEnough() throws Exception {
        try (RunningRouter router = RunningRouter.with().threads(8).queryDelay(Duration.ofMillis(5)).start()) {
            Servent listener = router.neighbour();
            WirePacket[] queries = queries(400, 2);
            router.neighbour().send(queries);
            Patience.until("there are more threads", () -> router.stage(GnutellaRouter.NAME).threads() > 1);
            Set<WirePacket> missing = new HashSet<>();
            for (WirePacket query : queries) {
                missing.add(query.hop());
            }
            List<WirePacket> strangers = new ArrayList<>();
            while (!missing.isEmpty()) {
                WirePacket next = listener.receive();
                if (!missing.remove(next)) {
                    strangers.add(next);
                }
            }
            assertEquals(List.of(), strangers);
        }
    }
}
