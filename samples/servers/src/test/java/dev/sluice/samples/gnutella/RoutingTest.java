package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a router sends to whom. */
class RoutingTest {

    private static final InetSocketAddress SOMEWHERE = new InetSocketAddress("10.1.2.3", 6346);

    private RunningRouter router;
    private Servent asker;
    private Servent answerer;
    private Servent bystander;

    @BeforeEach
    void connect() throws Exception {
        router = RunningRouter.start();
        asker = router.neighbour();
        answerer = router.own(Servent.old(router.address()));
        bystander = router.neighbour();
    }

    @AfterEach
    void close() throws Exception {
        router.close();
    }

    private void assertNothingElse() throws Exception {
        assertEquals(List.of(), asker.fence());
        assertEquals(List.of(), answerer.fence());
        assertEquals(List.of(), bystander.fence());
    }

    @Test
    @Tag(Depth.IN_QUICK)
    void aPingIsAnsweredAndGoesToAllOthers() throws Exception {
        WirePacket ping = WirePacket.ping(5, 2);
        asker.send(ping);
        assertEquals(WirePacket.pong(ping, 3, router.address()), asker.receive());
        assertEquals(ping.hop(), answerer.receive());
        assertEquals(ping.hop(), bystander.receive());
        assertNothingElse();
    }

    @Test
    void aPongGoesBackToWhoHasAsked() throws Exception {
        WirePacket ping = WirePacket.ping(5, 0);
        asker.send(ping);
        assertEquals(ping.hop(), answerer.receive());
        WirePacket pong = WirePacket.pong(ping, 2, SOMEWHERE);
        answerer.send(pong);
        assertEquals(WirePacket.pong(ping, 1, router.address()), asker.receive());
        assertEquals(pong.hop(), asker.receive());
        assertEquals(ping.hop(), bystander.receive());
        assertNothingElse();
    }

    @Test
    @Tag(Depth.IN_QUICK)
    void hitsGoBackAndAPushGoesToWhoHasSentThem() throws Exception {
        String servent = WirePacket.newGuid();
        WirePacket query = WirePacket.query(7, 0, "song");
        asker.send(query);
        assertEquals(query.hop(), answerer.receive());
        assertEquals(query.hop(), bystander.receive());
        WirePacket hits = WirePacket.hits(query, 2, servent);
        answerer.send(hits);
        assertEquals(hits.hop(), asker.receive());
        WirePacket push = WirePacket.push(servent, 2);
        asker.send(push);
        assertEquals(push.hop(), answerer.receive());
        assertNothingElse();
        assertEquals(0, router.dropped(DropReason.REPLY_TO_NOTHING));
    }

    @Test
    void theSameGuidMayStandForAPingAndAQuery() throws Exception {
        WirePacket query = WirePacket.query(3, 0, "x");
        WirePacket ping = new WirePacket(query.guid(), WirePacket.PING, 3, 0, "");
        asker.send(query, ping);
        assertEquals(query.hop(), answerer.receive());
        assertEquals(ping.hop(), answerer.receive());
        assertEquals(0, router.dropped(DropReason.DUPLICATE));
    }

    @ParameterizedTest
    @CsvSource({
        // ttl, hops, and what they are when they leave
        "7, 0, 6, 1", "7, 1, 5, 2", "15, 0, 6, 1", "7, 3, 3, 4", "2, 5, 1, 6", "15, 5, 1, 6",
        "1, 0, 0, 0", "1, 6, 0, 0", "7, 6, 0, 0", "7, 7, 0, 0", "7, 255, 0, 0"})
    void noBroadcastGoesFurtherThanSevenHops(int ttl, int hops, int ttlAfter, int hopsAfter) throws Exception {
        WirePacket query = WirePacket.query(ttl, hops, "far");
        WirePacket ping = WirePacket.ping(ttl, hops);
        asker.send(query, ping);
        assertEquals(WirePacket.PONG, asker.receive().type());
        List<WirePacket> expected = ttlAfter == 0 ? List.of()
                : List.of(query.withTtl(ttlAfter, hopsAfter), ping.withTtl(ttlAfter, hopsAfter));
        assertEquals(expected, answerer.fence());
        assertEquals(expected, bystander.fence());
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 7", "16, 0", "255, 0", "128, 3"})
    void broadcastsWithAnImpossibleTtlAreDropped(int ttl, int hops) throws Exception {
        asker.send(WirePacket.query(ttl, hops, "never"), WirePacket.ping(ttl, hops));
        assertNothingElse();
        assertEquals(2, router.dropped(ttl == 0 ? DropReason.TTL_0 : DropReason.TTL_TOO_HIGH));
    }

    @Test
    void repliesMayHaveAnyTtlButNone() throws Exception {
        WirePacket query = WirePacket.query(7, 0, "x");
        asker.send(query);
        assertEquals(query.hop(), answerer.receive());
        WirePacket far = WirePacket.hits(query, 255, WirePacket.newGuid());
        answerer.send(far, far.withTtl(1, 5), far.withTtl(0, 5));
        assertEquals(List.of(), answerer.fence());
        assertEquals(List.of(far.hop()), asker.fence());
        assertEquals(1, router.dropped(DropReason.TTL_0));
    }

    @Test
    @Tag(Depth.IN_QUICK)
    void whatHasBeenHereBeforeIsDropped() throws Exception {
        WirePacket query = WirePacket.query(7, 0, "twice");
        asker.send(query, query);
        answerer.receive();
        answerer.send(query.hop());
        bystander.send(query.withTtl(3, 4));
        assertEquals(List.of(), answerer.fence());
        assertEquals(List.of(query.hop()), bystander.fence());
        assertEquals(List.of(), asker.fence());
        assertEquals(3, router.dropped(DropReason.DUPLICATE));
    }

    /** Such messages cost their sender next to nothing. */
    @Test
    void whatGoesNoFurtherDrivesNoRouteOut() throws Exception {
        WirePacket query = WirePacket.query(7, 0, "x");
        asker.send(query);
        assertEquals(query.hop(), answerer.receive());
        for (int i = 0; i < 70; i++) {
            bystander.send(Stream.generate(() -> WirePacket.query(1, 0, "")).limit(1000).toArray(WirePacket[]::new));
        }
        bystander.fence();
        WirePacket hits = WirePacket.hits(query, 5, WirePacket.newGuid());
        answerer.send(hits);
        assertEquals(hits.hop(), asker.receive());
    }

    @Test
    void repliesToNothingAreDropped() throws Exception {
        WirePacket query = WirePacket.query(7, 0, "never sent");
        answerer.send(WirePacket.pong(query, 5, SOMEWHERE), WirePacket.hits(query, 5, WirePacket.newGuid()),
                WirePacket.push(WirePacket.newGuid(), 5));
        assertNothingElse();
        assertEquals(3, router.dropped(DropReason.REPLY_TO_NOTHING));
    }

    @Test
    void repliesAreNotSentBackToTheirSender() throws Exception {
        WirePacket query = WirePacket.query(1, 0, "x");
        WirePacket ping = WirePacket.ping(1, 0);
        String servent = WirePacket.newGuid();
        asker.send(query, ping, WirePacket.hits(query, 5, servent), WirePacket.pong(ping, 5, SOMEWHERE),
                WirePacket.push(servent, 5));
        assertEquals(WirePacket.pong(ping, 1, router.address()), asker.receive());
        assertNothingElse();
        assertEquals(3, router.dropped(DropReason.REPLY_TO_NOTHING));
    }

    @Test
    void aReplyToWhoHasLeftIsDropped() throws Exception {
        WirePacket query = WirePacket.query(7, 0, "soon gone");
        asker.send(query);
        assertEquals(query.hop(), answerer.receive());
        assertEquals(query.hop(), bystander.receive());
        asker.endOutput();
        assertNull(asker.receive());
        // It gets the slot of the one that has left, but not its answers.
        Servent another = router.neighbour();
        answerer.send(WirePacket.hits(query, 5, WirePacket.newGuid()));
        assertEquals(List.of(), answerer.fence());
        assertEquals(List.of(), another.fence());
        assertEquals(1, router.dropped(DropReason.REPLY_TO_NOTHING));
    }

    @Test
    void unknownTypesAndLongQueriesAreDropped() throws Exception {
        WirePacket unknown = new WirePacket(WirePacket.newGuid(), 0x31, 5, 0, "00".repeat(65_536));
        WirePacket longest = WirePacket.query(5, 0, "x".repeat(4096 - 3));
        asker.send(unknown, WirePacket.query(5, 0, "x".repeat(4096 - 2)), longest);
        // They take several receives, between which the other fence might come.
        assertEquals(List.of(), asker.fence());
        assertEquals(List.of(longest.hop()), answerer.fence());
        assertEquals(1, router.dropped(DropReason.UNKNOWN_TYPE));
        assertEquals(1, router.dropped(DropReason.LONG_QUERY));
    }

    @Test
    void hitsOf64KiBAreSentOn() throws Exception {
        WirePacket query = WirePacket.query(5, 0, "everything");
        asker.send(query);
        assertEquals(query.hop(), answerer.receive());
        WirePacket hits = new WirePacket(query.guid(), WirePacket.HITS, 5, 0, "ab".repeat(65_536));
        answerer.send(hits);
        assertEquals(hits.hop(), asker.receive());
    }

    @Test
    void oneByteAtATimeIsEnough() throws Exception {
        WirePacket query = WirePacket.query(5, 0, "slowly");
        for (byte each : query.bytes()) {
            asker.write(new byte[] {each});
        }
        assertEquals(query.hop(), answerer.receive());
    }

    @Test
    void pendingAnswersAreSentAfterTheEndOfInput() throws Exception {
        WirePacket[] pings = new WirePacket[1000];
        for (int i = 0; i < pings.length; i++) {
            pings[i] = WirePacket.ping(1, 0);
        }
        asker.send(pings);
        asker.endOutput();
        for (WirePacket ping : pings) {
            assertEquals(WirePacket.pong(ping, 1, router.address()), asker.receive());
        }
        assertNull(asker.receive());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aGoodbyeEndsItAtOnce(int ttl) throws Exception {
        asker.send(new WirePacket(WirePacket.newGuid(), WirePacket.BYE, ttl, 0, "c80000"), WirePacket.ping(7, 0));
        assertEquals(List.of(), asker.receiveAll());
        assertEquals(List.of(), answerer.fence());
        assertEquals(1, router.counts().closed(ByeReason.ITS_OWN));
    }
}
