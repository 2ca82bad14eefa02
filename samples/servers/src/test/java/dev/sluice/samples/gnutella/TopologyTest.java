package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several routers that are each other's neighbours. */
class TopologyTest {

    private final List<RunningRouter> routers = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (RunningRouter router : routers) {
            router.close();
        }
    }

    private RunningRouter add(RunningRouter.Builder builder) throws Exception {
        RunningRouter router = builder.start();
        routers.add(router);
        return router;
    }

    /** Each one is connected to by the next. */
    private void chain(int length) throws Exception {
        add(RunningRouter.with());
        for (int i = 1; i < length; i++) {
            add(RunningRouter.with().keep(1, routers.get(i - 1).address()));
            awaitNeighbours(routers.get(i - 1), i == 1 ? 1 : 2);
        }
        awaitNeighbours(routers.get(length - 1), 1);
        awaitRest(length - 1);
    }

    private static void awaitNeighbours(RunningRouter router, int count) throws Exception {
        Patience.until("there are neighbours", () -> router.counts().neighbours.sum() == count);
    }

    private void awaitDuplicates(long count) throws Exception {
        Patience.until(() -> "there are " + count + " duplicates, but " + duplicates(), () -> duplicates() == count);
    }

    private long duplicates() {
        return routers.stream().mapToLong(router -> router.dropped(DropReason.DUPLICATE)).sum();
    }

    @Test
    void aChainCarriesQueriesAndAnswersFromOneEndToTheOther() throws Exception {
        chain(4);
        Servent first = routers.get(0).neighbour();
        Servent last = routers.get(3).neighbour();
        WirePacket query = WirePacket.query(7, 0, "far away");
        first.send(query);
        assertEquals(query.withTtl(3, 4), last.receive());
        String servent = WirePacket.newGuid();
        WirePacket hits = WirePacket.hits(query, 5, servent);
        last.send(hits);
        assertEquals(hits.withTtl(1, 4), first.receive());
        WirePacket push = WirePacket.push(servent, 5);
        first.send(push);
        assertEquals(push.withTtl(1, 4), last.receive());
    }

    @Test
    void aChainOfEightIsTooLong() throws Exception {
        chain(8);
        Servent first = routers.get(0).neighbour();
        Servent seventh = routers.get(6).neighbour();
        Servent last = routers.get(7).neighbour();
        WirePacket query = WirePacket.query(15, 0, "too far");
        first.send(query);
        // It is spent at the seventh router, whose neighbours get nothing.
        Patience.until("it is spent", () -> routers.get(6).counts().spent.sum() == 1);
        assertEquals(List.of(), seventh.fence());
        assertEquals(List.of(), last.fence());
    }

    @Test
    void aRingBringsEachMessageToEveryoneOnceAndThenRests() throws Exception {
        ring(3);
        List<Servent> servents = new ArrayList<>();
        for (RunningRouter router : routers) {
            servents.add(router.neighbour());
        }
        long before = duplicates();
        int count = 500;
        List<WirePacket> queries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            queries.add(WirePacket.query(7, 0, "round and round " + i));
        }
        servents.get(0).send(queries.toArray(WirePacket[]::new));
        // It goes both ways, so that the other two get it from each other as well.
        awaitDuplicates(before + 2L * count);
        assertEquals(List.of(), servents.get(0).fence());
        assertEquals(withoutWay(queries), withoutWay(servents.get(1).fence()));
        assertEquals(withoutWay(queries), withoutWay(servents.get(2).fence()));
        WirePacket hits = WirePacket.hits(queries.get(0), 7, WirePacket.newGuid());
        servents.get(1).send(hits);
        assertEquals(withoutWay(List.of(hits)), withoutWay(List.of(servents.get(0).receive())));
        for (Servent servent : servents) {
            assertEquals(List.of(), servent.fence());
        }
        assertEquals(before + 2L * count, duplicates());
    }

    /** {@return the same, in any order, whichever way each has come: a router may be slower than two others} */
    private static List<String> withoutWay(List<WirePacket> packets) {
        return packets.stream().map(packet -> packet.withTtl(0, 0).toString()).sorted().toList();
    }

    /** Each one is connected to by the next, and the first one by the last, too. */
    private void ring(int length) throws Exception {
        add(RunningRouter.with());
        for (int i = 1; i < length - 1; i++) {
            add(RunningRouter.with().keep(1, routers.get(i - 1).address()));
        }
        add(RunningRouter.with().keep(2, routers.get(0).address(), routers.get(length - 2).address()));
        for (RunningRouter router : routers) {
            awaitNeighbours(router, 2);
        }
        awaitRest(length);
    }

    /** New neighbours ask each other who is there, which goes on to the neighbours that they have already. */
    private void awaitRest(int links) throws Exception {
        Patience.until("all routers are at rest", () -> sent() >= 2L * links && isIdle());
    }

    /** {@return whether nothing is being handled, and everything that was sent from router to router has come} */
    private boolean isIdle() {
        long completed = routers.stream().mapToLong(RunningRouter::completedEvents).sum();
        long sent = sent();
        long received = routers.stream().mapToLong(router -> router.counts().received.sum()).sum();
        long accepted = routers.stream().mapToLong(RunningRouter::acceptedEvents).sum();
        return sent == received && completed == accepted;
    }

    private long sent() {
        return routers.stream().mapToLong(router -> router.counts().sent.sum()).sum();
    }
}
