package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.eventloop.WaitFunctions;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.OneHandleHandler;
import dev.sluice.reactor.Recorder;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Peers that are clients and servers of each other, and call back while they are called. */
@RunsOn(HandleSetKind.ITERATIVE)
class HybridTest extends PoolContract {

    private static final int LEVELS = 6;
    private static final int CALLERS = 4;

    private final List<String> unexpected = new CopyOnWriteArrayList<>();

    /** Answers with what the next level answers to the same, plus one. */
    private static final class Level extends OneHandleHandler {

        private final SocketStream stream;
        private final MultiplexedClient next;
        private final ByteBuffer request = ByteBuffer.allocateDirect(MultiplexedClient.SIZE);

        Level(SocketStream stream, MultiplexedClient next) {
            this.stream = stream;
            this.next = next;
        }

        @Override
        public Handle handle() {
            return stream.handle();
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            if (stream.receive(request) == SocketStream.END_OF_STREAM) {
                registration.handle().close();
            } else if (!request.hasRemaining()) {
                long id = request.flip().getLong();
                long value = request.getLong();
                request.clear();
                MultiplexedClient.send(stream, id, next == null ? value : next.call(id, value) + 1);
            }
        }
    }

    private MultiplexedClient client(LeaderFollowersPool threads, Connection connection) throws IOException {
        return new MultiplexedClient(connection.near(), new BoundLeaderFollowersPool<>(threads,
                (id, response) -> unexpected.add(id + " " + response)));
    }

    @Test
    void peersThatCallEachOtherBackDoNotDeadlockWithOneThreadEach() throws Exception {
        LeaderFollowersPool other = ownPool(openPool(PromotionOrder.FIFO));
        List<LeaderFollowersPool> sides = List.of(pool, other);
        MultiplexedClient next = null;
        for (int level = LEVELS; level > 0; level--) {
            Connection connection = own(Connection.unix());
            new Level(connection.far(), next).register(sides.get(level % 2), Interest.READ);
            next = client(sides.get((level + 1) % 2), connection);
        }
        // One side has a thread of its own, the other one has only the caller, which waits.
        own(new Members(other, 1));
        for (long id = 0; id < 50; id++) {
            assertEquals(id + LEVELS - 1, next.call(id, id));
        }
        assertEquals(List.of(), unexpected);
    }

    @Test
    void requestsAreServedWhileAllThreadsWaitForResponses() throws Exception {
        int threads = 4;
        Connection backEnd = own(Connection.unix());
        MultiplexedClient client = client(pool, backEnd);
        List<Connection> frontEnds = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Connection frontEnd = own(Connection.unix());
            frontEnds.add(frontEnd);
            new Level(frontEnd.near(), client).register(pool, Interest.READ);
        }
        CountDownLatch served = new CountDownLatch(1);
        Connection simple = own(Connection.unix());
        Recorder simpleHandler = new Recorder("simple", simple.near().handle())
                .drain(simple.near()::receive).onInput(served::countDown);
        simpleHandler.register(pool, Interest.READ);
        join(threads);
        for (int i = 0; i < threads; i++) {
            MultiplexedClient.send(frontEnds.get(i).far(), i, i);
        }
        ByteBuffer request = ByteBuffer.allocate(MultiplexedClient.SIZE);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            backEnd.far().receiveFully(request.clear(), EventLoopContract.LIMIT);
            ids.add(request.flip().getLong());
        }
        // All threads wait for the back end now.
        simple.send("request");
        OtherThread.await(served);
        for (long id : ids) {
            MultiplexedClient.send(backEnd.far(), id, 10 * id);
        }
        for (int i = 0; i < threads; i++) {
            frontEnds.get(i).far().receiveFully(request.clear(), EventLoopContract.LIMIT);
            assertEquals(i, request.flip().getLong());
            assertEquals(10 * i + 1, request.getLong());
        }
    }

    @Test
    void followersHearOfALostConnectionAlsoIfTheLeaderCannotBeWoken() throws Exception {
        try (FaultInjection faults = FaultInjection.install(); Connection connection = Connection.unix()) {
            LeaderFollowersPool unwakeable = openPool(PromotionOrder.LIFO);
            MultiplexedClient called = new MultiplexedClient(connection.near(),
                    new BoundLeaderFollowersPool<>(unwakeable, (id, response) -> { }));
            List<OtherThread<Long>> calls = new ArrayList<>();
            for (long id = 0; id < CALLERS; id++) {
                long number = id;
                calls.add(OtherThread.start(() -> called.call(number, number)));
                OtherThread.await(() -> unwakeable.threads(ThreadRole.LEADER).size() == 1
                        && unwakeable.threads(ThreadRole.FOLLOWER).size() == number);
            }
            faults.failEach(WaitFunctions.waking(handleSet.demultiplexer()), Errno.EIO);
            called.handle().close();
            for (OtherThread<Long> follower : calls.subList(1, CALLERS)) {
                IOException failure = assertThrows(IOException.class, follower::result);
                assertEquals("the connection is lost", failure.getMessage().split(":")[0]);
            }
            faults.heal();
            close(unwakeable);
            assertThrows(IOException.class, calls.get(0)::result);
        }
    }
}
