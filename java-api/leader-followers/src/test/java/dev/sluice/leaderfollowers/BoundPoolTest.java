package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.Recorder;
import dev.sluice.testing.Depth;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads wait for their own responses on one connection. */
@RunsOn(HandleSetKind.ITERATIVE)
@Tag(Depth.IN_QUICK)
class BoundPoolTest extends PoolContract {

    private static final int THREADS = 8;

    private final List<String> unexpected = new CopyOnWriteArrayList<>();
    private BoundLeaderFollowersPool<Long> bound;
    private SocketStream peer;
    private MultiplexedClient client;

    @BeforeEach
    void connect() throws IOException {
        connect(pool);
    }

    private void connect(LeaderFollowersPool threads) throws IOException {
        Connection connection = own(Connection.unix());
        bound = new BoundLeaderFollowersPool<>(threads, (id, response) -> unexpected.add(id + " " + response));
        client = new MultiplexedClient(connection.near(), bound);
        peer = connection.far();
    }

    private long nextRequest() throws IOException {
        return nextRequest(peer);
    }

    private static long nextRequest(SocketStream from) throws IOException {
        ByteBuffer message = ByteBuffer.allocate(MultiplexedClient.SIZE);
        assertTrue(from.receiveFully(message, EventLoopContract.LIMIT));
        return message.flip().getLong();
    }

    private void respond(long id, long value) throws IOException {
        MultiplexedClient.send(peer, id, value);
    }

    /** {@return a call that waits; it is the leader if it is the first} */
    private OtherThread<Long> startCall(long id) throws IOException {
        return startCall(id, EventLoopContract.LIMIT);
    }

    private OtherThread<Long> startCall(long id, Duration timeout) throws IOException {
        OtherThread<Long> call = OtherThread.start(() -> client.call(id, id, timeout));
        assertEquals(id, nextRequest());
        OtherThread.await(() -> isIn(call.thread()));
        return call;
    }

    private boolean isIn(Thread thread) {
        return pool.threads(ThreadRole.LEADER).contains(thread) || pool.threads(ThreadRole.FOLLOWER).contains(thread);
    }

    private Thread leader() {
        OtherThread.await(() -> pool.threads(ThreadRole.LEADER).size() == 1);
        return pool.threads(ThreadRole.LEADER).get(0);
    }

    @Test
    void needsALeader() throws Exception {
        HandleSet concurrent = HandleSet.usable(Mode.SYNCHRONOUS).stream()
                .filter(set -> !set.hasLeader()).findFirst().orElseThrow();
        LeaderFollowersPool leaderless = ownPool(LeaderFollowersPool.open(concurrent.demultiplexer(),
                PromotionOrder.LIFO, concurrent.isConcurrent()));
        assertThrows(IllegalArgumentException.class,
                () -> new BoundLeaderFollowersPool<Long>(leaderless, (id, r) -> { }));
    }

    @Test
    void everyThreadGetsItsOwnResponseInWhateverOrderTheyCome() throws Exception {
        int rounds = CalledSystem.times(100);
        List<OtherThread<Void>> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int caller = i;
            callers.add(OtherThread.start(() -> {
                for (int round = 0; round < rounds; round++) {
                    long id = round * THREADS + caller;
                    assertEquals(id * id, client.call(id, id));
                }
                return null;
            }));
        }
        Random random = new Random(1);
        for (int round = 0; round < rounds; round++) {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                ids.add(nextRequest());
            }
            Collections.shuffle(ids, random);
            for (long id : ids) {
                respond(id, id * id);
            }
        }
        for (OtherThread<Void> caller : callers) {
            caller.result();
        }
        assertEquals(List.of(), unexpected);
    }

    @Test
    void leaderHandsAResponseToTheFollowerItIsForAndLeadsOn() throws Exception {
        OtherThread<Long> first = startCall(1);
        OtherThread<Long> second = startCall(2);
        OtherThread<Long> third = startCall(3);
        assertSame(first.thread(), leader());
        respond(3, 33);
        assertEquals(33, third.result());
        assertSame(first.thread(), leader());
        respond(1, 11);
        assertEquals(11, first.result());
        assertSame(second.thread(), leader());
        respond(2, 22);
        assertEquals(22, second.result());
    }

    @Test
    void longestWaitingIsPromotedInFifoOrder() throws Exception {
        pool = ownPool(openPool(PromotionOrder.FIFO));
        connect(pool);
        List<OtherThread<Long>> calls = new ArrayList<>();
        for (int id = 0; id < 5; id++) {
            calls.add(startCall(id));
        }
        for (int id = 0; id < 5; id++) {
            assertSame(calls.get(id).thread(), leader());
            respond(id, id);
            assertEquals(id, calls.get(id).result());
        }
    }

    @Test
    void chosenThreadIsPromoted() throws Exception {
        List<ThreadContext<Long>> contexts = new ArrayList<>();
        List<OtherThread<Long>> calls = new ArrayList<>();
        for (int id = 0; id < 4; id++) {
            ThreadContext<Long> context = bound.expectResponse(id);
            contexts.add(context);
            calls.add(OtherThread.start(() -> bound.join(context, EventLoopContract.LIMIT)));
            Thread thread = calls.get(id).thread();
            OtherThread.await(() -> isIn(thread));
        }
        Connection other = own(Connection.unix());
        Recorder chooser = new Recorder("chooser", other.near().handle()).drain(other.near()::receive);
        List<Boolean> promoted = new CopyOnWriteArrayList<>();
        chooser.onInput(() -> {
            promoted.add(bound.promoteNewLeader(contexts.get(2)));
            promoted.add(bound.promoteNewLeader(contexts.get(1)));
        });
        chooser.note(pool.handleSet().register(chooser.handle(), Interest.READ, chooser, Promotion.BY_HANDLER));
        other.send("x");
        OtherThread.await(() -> promoted.size() == 2);
        assertEquals(List.of(true, false), promoted);
        assertSame(calls.get(2).thread(), leader());
        for (int id = 0; id < 4; id++) {
            respond(id, id);
            assertEquals(id, calls.get(id).result());
        }
    }

    @Test
    void chosenThreadIsNotPromotedAgainAfterItHasLeft() throws Exception {
        pool = ownPool(openPool(PromotionOrder.FIFO));
        connect(pool);
        List<ThreadContext<Long>> contexts = new ArrayList<>();
        List<OtherThread<Long>> calls = new ArrayList<>();
        for (int id = 0; id < 4; id++) {
            ThreadContext<Long> context = bound.expectResponse(id);
            contexts.add(context);
            calls.add(OtherThread.start(() -> bound.join(context, EventLoopContract.LIMIT)));
            Thread thread = calls.get(id).thread();
            OtherThread.await(() -> isIn(thread));
        }
        Connection other = own(Connection.unix());
        Recorder chooser = new Recorder("chooser", other.near().handle()).drain(other.near()::receive);
        chooser.onInput(() -> assertTrue(bound.promoteNewLeader(contexts.get(2))));
        chooser.note(pool.handleSet().register(chooser.handle(), Interest.READ, chooser, Promotion.BY_HANDLER));
        other.send("x");
        OtherThread.await(() -> pool.threads(ThreadRole.FOLLOWER).contains(calls.get(0).thread()));
        // The chosen one leaves, and then each one that leads; the one that chose has come last.
        for (int id : new int[] {2, 1, 3, 0}) {
            assertSame(calls.get(id).thread(), leader());
            respond(id, id);
            assertEquals(id, calls.get(id).result());
        }
    }

    @Test
    void unexpectedResponseIsReported() throws Exception {
        OtherThread<Long> call = startCall(1);
        respond(77, 1);
        respond(1, 5);
        respond(1, 6);
        assertEquals(5, call.result());
        // The second response to the same request arrives while no thread waits: the next thread to wait receives it.
        OtherThread<Long> next = startCall(2);
        respond(2, 7);
        assertEquals(7, next.result());
        assertEquals(List.of("77 1", "1 6"), unexpected);
        ThreadContext<Long> context = bound.expectResponse(9);
        assertThrows(IllegalStateException.class, () -> bound.expectResponse(9));
        assertFalse(context.isDone());
    }

    @Test
    void waitEndsWithItsTimeAndTheResponseIsUnexpectedThen() throws Exception {
        OtherThread<Long> early = startCall(1, Duration.ofMillis(50));
        OtherThread<Long> second = startCall(2);
        assertThrows(SocketTimeoutException.class, early::result);
        // It led, and has handed that on.
        assertSame(second.thread(), leader());
        respond(1, 11);
        respond(2, 22);
        assertEquals(22, second.result());
        assertEquals(List.of("1 11"), unexpected);
    }

    /** Each would otherwise have a thread return without a response. */
    @Test
    void refusesASecondJoinAndAResponseThatIsNull() throws Exception {
        ThreadContext<Long> context = bound.expectResponse(1);
        assertThrows(SocketTimeoutException.class, () -> bound.join(context, Duration.ZERO));
        IllegalStateException twice = assertThrows(IllegalStateException.class,
                () -> bound.join(context, Duration.ZERO));
        assertEquals("join: the response to request 1 has been joined before; call expectResponse for each request",
                twice.getMessage());
        assertEquals("response", assertThrows(NullPointerException.class, () -> bound.handOff(2, null)).getMessage());
    }

    @Test
    void lostConnectionFailsEveryThreadAtOnce() throws Exception {
        List<OtherThread<Long>> calls = new ArrayList<>();
        for (int id = 0; id < THREADS; id++) {
            calls.add(startCall(id));
        }
        peer.close();
        for (OtherThread<Long> call : calls) {
            IOException failure = assertThrows(IOException.class, call::result);
            assertTrue(failure.getCause() instanceof EOFException, failure::toString);
        }
        assertThrows(IOException.class, () -> bound.expectResponse(99));
        assertFalse(client.handle().isOpen());
    }

    @Test
    void connectionClosedByAnotherThreadFailsEveryThreadAtOnce() throws Exception {
        List<OtherThread<Long>> calls = List.of(startCall(1), startCall(2), startCall(3));
        client.handle().close();
        for (OtherThread<Long> call : calls) {
            assertThrows(IOException.class, call::result);
        }
    }

    @Test
    void closeOfThePoolFailsEveryThread() throws Exception {
        List<OtherThread<Long>> calls = List.of(startCall(1), startCall(2), startCall(3));
        close(pool);
        for (OtherThread<Long> call : calls) {
            assertThrows(HandleClosedException.class, call::result);
        }
    }

    @Test
    void severalConnectionsAndUnboundHandlersShareOnePool() throws Exception {
        MultiplexedClient firstClient = client;
        SocketStream firstPeer = peer;
        connect(pool);
        Connection other = own(Connection.unix());
        Recorder unboundHandler = new Recorder("unbound", other.near().handle()).drain(other.near()::receive);
        unboundHandler.register(pool, Interest.READ);
        OtherThread<Long> onFirst = OtherThread.start(() -> firstClient.call(1, 1));
        assertEquals(1, nextRequest(firstPeer));
        OtherThread<Long> onSecond = OtherThread.start(() -> client.call(1, 1));
        assertEquals(1, nextRequest(peer));
        // There is no thread but those that wait for responses.
        other.send("request");
        OtherThread.await(() -> unboundHandler.received() == 7);
        MultiplexedClient.send(peer, 1, 22);
        assertEquals(22, onSecond.result());
        MultiplexedClient.send(firstPeer, 1, 11);
        assertEquals(11, onFirst.result());
    }

}
