package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.Recorder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Hooks wait for responses, and other hooks run on the same stack until it arrives. */
@RunsOn(HandleSetKind.ITERATIVE)
class NestingTest extends PoolContract {

    private static final int LIMIT = 3;
    private static final int CLIENTS = 40;

    private final List<Long> unexpected = new CopyOnWriteArrayList<>();
    private final List<Pipe> pipes = new ArrayList<>();
    private final List<Recorder> servants = new ArrayList<>();
    private final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);
    private final AtomicInteger deepest = new AtomicInteger();
    private final AtomicInteger served = new AtomicInteger();
    private MultiplexedClient backEnd;
    private SocketStream peer;

    private void connect(BoundLeaderFollowersPool<Long> bound) throws IOException {
        Connection connection = own(Connection.unix());
        backEnd = new MultiplexedClient(connection.near(), bound);
        peer = connection.far();
    }

    private void connect(int maxNesting) throws IOException {
        connect(new BoundLeaderFollowersPool<>(pool, (id, response) -> unexpected.add(id), maxNesting));
    }

    /** Makes another client whose service waits for a response by its number. */
    private void addClient() throws IOException {
        Pipe pipe = pipe();
        long number = pipes.size();
        pipes.add(pipe);
        servants.add(register("servant " + number, pipe).onInput(() -> serve(number)));
    }

    private void serve(long number) throws IOException {
        int level = depth.get() + 1;
        depth.set(level);
        deepest.accumulateAndGet(level, Math::max);
        try {
            assertEquals(number, backEnd.call(number, number));
            served.incrementAndGet();
        } finally {
            depth.set(level - 1);
        }
    }

    private void request(int client) throws IOException {
        send(pipes.get(client));
    }

    /** {@return whose service waits now} */
    private long nextCall() throws IOException {
        ByteBuffer message = ByteBuffer.allocate(MultiplexedClient.SIZE);
        assertTrue(peer.receiveFully(message, EventLoopContract.LIMIT));
        return message.flip().getLong();
    }

    private void respond(long number) throws IOException {
        MultiplexedClient.send(peer, number, number);
    }

    /** Returns when all has been detected that is there now: the second of these comes with a later wait. */
    private void awaitDetection() throws IOException {
        for (long id = -1; id > -3; id--) {
            long response = id;
            respond(response);
            OtherThread.await(() -> unexpected.contains(response));
        }
    }

    /** As many calls as the threads may nest are open all the time; the youngest one is answered. */
    private void serveAll(int atOnce) throws IOException {
        for (int i = 0; i < CLIENTS; i++) {
            addClient();
            request(i);
        }
        join(1);
        Deque<Long> open = new ArrayDeque<>();
        for (int calls = 0; calls < CLIENTS; calls++) {
            if (open.size() == atOnce) {
                respond(open.pop());
            }
            open.push(nextCall());
        }
        for (long number : open) {
            respond(number);
        }
        OtherThread.await(() -> served.get() == CLIENTS);
        assertEquals(atOnce, deepest.get());
    }

    @Test
    void noMoreHooksOfAThreadWaitThanItsPoolAllows() throws Exception {
        connect(LIMIT);
        serveAll(LIMIT);
    }

    @Test
    void poolHasALimitOfItsOwn() throws Exception {
        connect(new BoundLeaderFollowersPool<>(pool, (id, response) -> unexpected.add(id)));
        serveAll(BoundLeaderFollowersPool.MAX_NESTING);
    }

    @Test
    void responsesComeInAnyOrderWhenAllThreadsAreAtTheLimit() throws Exception {
        connect(1);
        for (int i = 0; i < 6; i++) {
            addClient();
            request(i);
        }
        join(3);
        List<Long> first = List.of(nextCall(), nextCall(), nextCall());
        awaitDetection();
        for (long number : first) {
            respond(number);
        }
        for (int i = 0; i < 3; i++) {
            respond(nextCall());
        }
        OtherThread.await(() -> served.get() == 6);
        assertEquals(1, deepest.get());
    }

    @Test
    void joiningThreadDispatchesDeferredEvents() throws Exception {
        connect(1);
        addClient();
        addClient();
        request(0);
        request(1);
        join(1);
        long first = nextCall();
        awaitDetection();
        join(1);
        assertEquals(1 - first, nextCall());
        respond(1 - first);
        OtherThread.await(() -> served.get() == 1);
        respond(first);
        OtherThread.await(() -> served.get() == 2);
    }

    @Test
    void followerDispatchesDeferredEvents() throws Exception {
        connect(1);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Pipe busy = pipe();
        register("busy", busy).onInput(() -> {
            entered.countDown();
            OtherThread.await(go);
        });
        addClient();
        addClient();
        Members members = join(2);
        send(busy);
        OtherThread.await(entered);
        request(0);
        assertEquals(0, nextCall());
        // The one leads though it is at the limit, because the other one is busy.
        OtherThread.await(() -> pool.threads(ThreadRole.LEADER).size() == 1);
        go.countDown();
        OtherThread.await(() -> pool.threads(ThreadRole.FOLLOWER).size() == 1
                && pool.threads(ThreadRole.LEADER).size() == 1);
        assertEquals(servants.get(0).threads(), Set.copyOf(pool.threads(ThreadRole.LEADER)));
        request(1);
        assertEquals(1, nextCall());
        assertFalse(servants.get(0).threads().equals(servants.get(1).threads()));
        respond(0);
        respond(1);
        OtherThread.await(() -> served.get() == 2);
        assertEquals(0, members.failures().size());
    }

    @Test
    void closeEndsHandlersOfDeferredEvents() throws Exception {
        connect(1);
        for (int i = 0; i < 3; i++) {
            addClient();
            request(i);
        }
        Members members = join(1);
        int first = (int) nextCall();
        awaitDetection();
        OtherThread.run(pool::close);
        members.awaitEnd(0);
        for (int i = 0; i < 3; i++) {
            List<String> calls = i == first ? List.of("input", "failure", "close READ") : List.of("close READ");
            assertEquals(calls, servants.get(i).calls());
        }
    }

    @Test
    void handleIsClosedWhileItsEventIsDeferred() throws Exception {
        connect(1);
        addClient();
        addClient();
        request(0);
        request(1);
        join(1);
        int first = (int) nextCall();
        awaitDetection();
        pipes.get(1 - first).source().close();
        respond(first);
        Recorder second = servants.get(1 - first);
        OtherThread.await(() -> second.called("close"));
        assertEquals(List.of("close READ"), second.calls());
        assertEquals(List.of("input"), servants.get(first).calls());
    }

    @Test
    void limitIsAtLeastOne() {
        assertThrows(IllegalArgumentException.class,
                () -> new BoundLeaderFollowersPool<Long>(pool, (id, response) -> { }, 0));
    }
}
