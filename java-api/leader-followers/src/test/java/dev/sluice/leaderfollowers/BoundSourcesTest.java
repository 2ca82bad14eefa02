package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.Recorder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Threads of a pool with several sources wait for their own responses, which come over any of them. */
class BoundSourcesTest extends PoolContract {

    private static final int THREADS = 6;
    private static final int ROUNDS = 50;

    /** A response that comes through a queue. */
    private record Response(long id, long value) {
    }

    /** A handle set that shows which thread waits on it without a time limit. */
    private static final class WatchedSource implements EventSource {

        private final HandleSetSource handles;
        private volatile Thread waiting;

        WatchedSource(HandleSetSource handles) {
            this.handles = handles;
        }

        @Override
        public boolean isConcurrent() {
            return handles.isConcurrent();
        }

        @Override
        public Waiter newWaiter() {
            Waiter waiter = handles.newWaiter();
            return new Waiter() {
                @Override
                public PendingEvent await(long timeoutNanos) throws IOException {
                    waiting = timeoutNanos < 0 ? Thread.currentThread() : null;
                    try {
                        return waiter.await(timeoutNanos);
                    } finally {
                        waiting = null;
                    }
                }

                @Override
                public void close() {
                    waiter.close();
                }
            };
        }

        @Override
        public void wakeUp() {
            handles.wakeUp();
        }

        @Override
        public void close() {
            handles.close();
        }
    }

    private final List<String> unexpected = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Response> responses = new LinkedBlockingQueue<>();
    private HandleSetSource first;
    private HandleSetSource second;
    private MultipleLeadersPool threads;
    private BoundLeaderFollowersPool<Long> bound;

    @BeforeEach
    void openSources() throws IOException {
        first = openSource();
        second = openSource();
    }

    private void open(EventSource... sources) {
        threads = ownPool(new MultipleLeadersPool(PromotionOrder.LIFO, List.of(sources)));
        bound = newBoundPool(BoundLeaderFollowersPool.MAX_NESTING);
    }

    private BoundLeaderFollowersPool<Long> newBoundPool(int maxNesting) {
        return new BoundLeaderFollowersPool<>(threads, (id, value) -> unexpected.add(id + " " + value), maxNesting);
    }

    private QueueSource<Response> responseQueue() {
        return new QueueSource<>(responses, new ElementHandler<>() {
            @Override
            public void handleElement(Response response) {
                bound.handOff(response.id, response.value);
            }

            @Override
            public boolean isBound() {
                return true;
            }
        });
    }

    private long nextRequest(SocketStream peer) throws IOException {
        ByteBuffer message = ByteBuffer.allocate(MultiplexedClient.SIZE);
        assertTrue(peer.receiveFully(message, EventLoopContract.LIMIT));
        return message.flip().getLong();
    }

    private OtherThread<Long> startWait(long id) throws IOException {
        ThreadContext<Long> context = bound.expectResponse(id);
        OtherThread<Long> waiting = OtherThread.start(() -> bound.join(context, EventLoopContract.LIMIT));
        Thread thread = waiting.thread();
        OtherThread.await(() -> threads.threads(ThreadRole.LEADER).contains(thread)
                || threads.threads(ThreadRole.FOLLOWER).contains(thread));
        return waiting;
    }

    @Test
    void everyThreadGetsItsOwnResponseFromWhateverHandleSetAndQueue() throws Exception {
        open(first, second, responseQueue());
        List<Connection> connections = List.of(own(Connection.unix()), own(Connection.unix()));
        List<MultiplexedClient> clients = List.of(new MultiplexedClient(first, connections.get(0).near(), bound),
                new MultiplexedClient(second, connections.get(1).near(), bound));
        List<OtherThread<Void>> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int caller = i;
            callers.add(OtherThread.start(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    long id = round * THREADS + caller;
                    assertEquals(id * id, clients.get(caller % 2).call(id, id));
                }
                return null;
            }));
        }
        for (int round = 0; round < ROUNDS; round++) {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                ids.add(nextRequest(connections.get(i % 2).far()));
            }
            for (long id : ids) {
                // Over the connection of the request, over the other one, or through the queue.
                switch ((int) (id % 3)) {
                    case 0 -> MultiplexedClient.send(connections.get(0).far(), id, id * id);
                    case 1 -> MultiplexedClient.send(connections.get(1).far(), id, id * id);
                    default -> responses.add(new Response(id, id * id));
                }
            }
        }
        for (OtherThread<Void> caller : callers) {
            caller.result();
        }
        assertEquals(List.of(), unexpected);
    }

    @Test
    void leaderOfOneSourceHandsOffToTheLeaderOfAnother() throws Exception {
        open(first, second);
        Connection onFirst = own(Connection.unix());
        Connection onSecond = own(Connection.unix());
        new MultiplexedClient(first, onFirst.near(), bound);
        new MultiplexedClient(second, onSecond.near(), bound);
        for (int round = 0; round < ROUNDS; round++) {
            OtherThread<Long> one = startWait(1);
            OtherThread<Long> two = startWait(2);
            OtherThread.await(() -> threads.threads(ThreadRole.LEADER).size() == 2);
            // The first one to join leads the first source, and both responses come over the same connection.
            SocketStream peer = round % 2 == 0 ? onFirst.far() : onSecond.far();
            MultiplexedClient.send(peer, 1, 11);
            assertEquals(11, one.result());
            MultiplexedClient.send(peer, 2, 22);
            assertEquals(22, two.result());
        }
        assertEquals(List.of(), unexpected);
    }

    @Test
    void oneThreadGetsResponsesFromAllSourcesInTurn() throws Exception {
        open(first, second, responseQueue());
        Connection onFirst = own(Connection.unix());
        Connection onSecond = own(Connection.unix());
        new MultiplexedClient(first, onFirst.near(), bound);
        new MultiplexedClient(second, onSecond.near(), bound);
        for (int round = 0; round < 10; round++) {
            OtherThread<Long> waiting = startWait(1);
            switch (round % 3) {
                case 0 -> MultiplexedClient.send(onFirst.far(), 1, round);
                case 1 -> MultiplexedClient.send(onSecond.far(), 1, round);
                default -> responses.add(new Response(1, round));
            }
            assertEquals(round, waiting.result());
        }
    }

    @Test
    void waitingThreadsServeAllSources() throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        AtomicInteger sum = new AtomicInteger();
        open(first, second, new QueueSource<>(queue, sum::addAndGet));
        Connection connection = own(Connection.unix());
        new MultiplexedClient(second, connection.near(), bound);
        Pipe pipe = pipe();
        Recorder reader = reader("reader", pipe);
        reader.register(first, Interest.READ);
        AtomicInteger fired = new AtomicInteger();
        List<OtherThread<Long>> waiting = List.of(startWait(1), startWait(2));
        for (int i = 1; i <= 20; i++) {
            int round = i;
            send(pipe);
            queue.add(1);
            first.schedule(token -> fired.incrementAndGet(), null, Duration.ofMillis(1));
            OtherThread.await(() -> reader.received() == round && sum.get() == round && fired.get() == round);
        }
        for (int id = 1; id <= 2; id++) {
            MultiplexedClient.send(connection.far(), id, id);
            assertEquals(id, waiting.get(id - 1).result());
        }
    }

    @Test
    void queueIsNotEmptiedByAThreadThatMayNotHandleItsElements() throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        List<Integer> handled = new CopyOnWriteArrayList<>();
        open(first, second, responseQueue(), new QueueSource<>(queue, handled::add));
        bound = newBoundPool(1);
        Pipe pipe = pipe();
        Recorder caller = reader("caller", pipe).onInput(() ->
                assertEquals(5, bound.join(bound.expectResponse(1), EventLoopContract.LIMIT)));
        caller.register(first, Interest.READ);
        own(new Members(threads, 1));
        send(pipe);
        OtherThread.await(() -> caller.called("input"));
        for (int i = 0; i < 100; i++) {
            queue.add(i);
        }
        // It leads the sources in turn, and hands off whatever comes.
        for (long id = 100; id < 110; id++) {
            String expected = id + " 0";
            responses.add(new Response(id, 0));
            OtherThread.await(() -> unexpected.contains(expected));
        }
        assertTrue(queue.size() >= 99, () -> queue.size() + " left");
        assertEquals(List.of(), handled);
        responses.add(new Response(1, 5));
        OtherThread.await(() -> handled.size() == 100);
        OtherThread.await(() -> threads.threads(ThreadRole.PROCESSING).isEmpty());
        assertEquals(List.of(), caller.failures());
    }

    /** It waits without a limit, as each source has a leader, and its own source reports nothing. */
    @Test
    void leaderOfAnotherSourceDispatchesDeferredEvents() throws Exception {
        List<WatchedSource> sources = List.of(new WatchedSource(first), new WatchedSource(second));
        open(sources.get(0), sources.get(1));
        bound = newBoundPool(1);
        Pipe start = pipe();
        Recorder caller = reader("caller", start).onInput(() ->
                assertEquals(5, bound.join(bound.expectResponse(1), EventLoopContract.LIMIT)));
        caller.register(first, Interest.READ);
        List<Pipe> pipes = List.of(pipe(), pipe());
        List<Recorder> readers = List.of(reader("on first", pipes.get(0)), reader("on second", pipes.get(1)));
        readers.get(0).register(first, Interest.READ);
        readers.get(1).register(second, Interest.READ);
        Members members = own(new Members(threads, 1));
        send(start);
        OtherThread.await(() -> caller.called("input"));
        members.add(Thread.NORM_PRIORITY);
        Thread other = members.thread(1);
        OtherThread.await(() -> sources.stream().anyMatch(source -> source.waiting == other));
        // The source whose leader waits for the response, and may not dispatch other events.
        int led = sources.get(0).waiting == other ? 1 : 0;
        send(pipes.get(led));
        OtherThread.await(() -> readers.get(led).called("input"));
        assertEquals(Set.of(other), readers.get(led).threads());
        bound.handOff(1, 5L);
        OtherThread.await(() -> threads.threads(ThreadRole.PROCESSING).isEmpty());
        assertEquals(List.of(), caller.failures());
    }

    @Test
    void closeOfThePoolFailsThreadsOnAllSources() throws Exception {
        open(first, second);
        List<OtherThread<Long>> waiting = List.of(startWait(1), startWait(2), startWait(3));
        close(threads);
        for (OtherThread<Long> each : waiting) {
            HandleClosedException failure = assertThrows(HandleClosedException.class, each::result);
            assertTrue(failure.getMessage().contains("handle set on " + handleSet.demultiplexer()),
                    failure::getMessage);
        }
    }

    @Test
    void connectionNeedsAHandleSetOfThePool() throws Exception {
        open(first, second);
        Recorder connection = reader("connection", pipe());
        IllegalStateException ambiguous =
                assertThrows(IllegalStateException.class, () -> bound.register(connection.handle(), connection));
        assertTrue(ambiguous.getMessage().contains("2 handle sets"), ambiguous::getMessage);
        assertThrows(IllegalArgumentException.class,
                () -> bound.register(pool.handleSet(), connection.handle(), connection));
        bound.register(second, connection.handle(), connection);
        MultipleLeadersPool queueOnly = ownPool(new MultipleLeadersPool(PromotionOrder.FIFO, List.of(responseQueue())));
        BoundLeaderFollowersPool<Long> onQueue = new BoundLeaderFollowersPool<>(queueOnly, (id, value) -> { });
        assertThrows(IllegalStateException.class, () -> onQueue.register(connection.handle(), connection));
    }

    @Test
    void chosenThreadIsPromotedForTheSourceOfTheOneThatChooses() throws Exception {
        open(first, second);
        List<OtherThread<Long>> waiting = new ArrayList<>();
        List<ThreadContext<Long>> contexts = new ArrayList<>();
        for (long id = 0; id < 4; id++) {
            ThreadContext<Long> context = bound.expectResponse(id);
            contexts.add(context);
            waiting.add(OtherThread.start(() -> bound.join(context, EventLoopContract.LIMIT)));
            Thread thread = waiting.get((int) id).thread();
            OtherThread.await(() -> threads.threads(ThreadRole.LEADER).contains(thread)
                    || threads.threads(ThreadRole.FOLLOWER).contains(thread));
        }
        Connection connection = own(Connection.unix());
        new MultiplexedClient(second, connection.near(), bound);
        Pipe pipe = pipe();
        List<Boolean> promoted = new CopyOnWriteArrayList<>();
        Recorder chooser = reader("chooser", pipe).onInput(() ->
                promoted.add(bound.promoteNewLeader(contexts.get(2))));
        chooser.note(second.register(chooser.handle(), Interest.READ, chooser, Promotion.BY_HANDLER));
        send(pipe);
        OtherThread.await(() -> promoted.size() == 1);
        assertSame(true, promoted.get(0));
        OtherThread.await(() -> threads.threads(ThreadRole.LEADER).contains(waiting.get(2).thread()));
        for (int id = 0; id < 4; id++) {
            MultiplexedClient.send(connection.far(), id, id);
            assertEquals(id, waiting.get(id).result());
        }
    }
}
