package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.Recorder;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events come to their handlers, each to one thread. */
@Tag(Depth.IN_QUICK)
class DispatchTest extends PoolContract {

    private static final int THREADS = 4;
    private static final int ROUNDS = CalledSystem.times(100);

    @Test
    void eventIsDispatchedByAThreadOfThePool() throws Exception {
        Pipe pipe = pipe();
        Recorder reader = register("reader", pipe);
        Members members = join(2);
        send(pipe);
        OtherThread.await(() -> reader.received() == 1);
        assertTrue(members.threads().containsAll(reader.threads()));
    }

    @Test
    void asManyEventsAreProcessedAtOnceAsThereAreThreads() throws Exception {
        CyclicBarrier together = new CyclicBarrier(THREADS + 1);
        List<Recorder> readers = new ArrayList<>();
        join(THREADS);
        for (int i = 0; i < THREADS; i++) {
            Pipe pipe = pipe();
            Recorder reader = reader("reader " + i, pipe).onInput(() -> together.await(30, TimeUnit.SECONDS));
            reader.register(pool, Interest.READ);
            readers.add(reader);
            send(pipe);
        }
        OtherThread.await(() -> pool.threads(ThreadRole.PROCESSING).size() == THREADS);
        together.await(30, TimeUnit.SECONDS);
        OtherThread.await(() -> readers.stream().noneMatch(reader -> reader.threads().isEmpty()));
        Set<Thread> threads = new HashSet<>();
        readers.forEach(reader -> threads.addAll(reader.threads()));
        assertEquals(THREADS, threads.size());
    }

    @Test
    void handleIsNotDispatchedAgainBeforeItsHookHasReturned() throws Exception {
        Pipe pipe = pipe();
        Pipe other = pipe();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Recorder reader = register("reader", pipe).onInput(() -> {
            entered.countDown();
            OtherThread.await(go);
        });
        Recorder otherReader = register("other", other);
        join(THREADS);
        send(pipe);
        OtherThread.await(entered);
        send(pipe);
        for (int i = 0; i < ROUNDS; i++) {
            send(other);
            int expected = i + 1;
            OtherThread.await(() -> otherReader.received() == expected);
        }
        assertEquals(1, reader.received());
        go.countDown();
        OtherThread.await(() -> reader.received() == 2);
    }

    @Test
    void leaderAndFollowersAreReported() throws Exception {
        Pipe pipe = pipe();
        CountDownLatch go = new CountDownLatch(1);
        Recorder reader = register("reader", pipe).onInput(() -> OtherThread.await(go));
        Members members = join(THREADS);
        assertEquals(handleSet.hasLeader() ? 1 : THREADS, pool.threads(ThreadRole.LEADER).size());
        assertEquals(handleSet.hasLeader() ? THREADS - 1 : 0, pool.threads(ThreadRole.FOLLOWER).size());
        List<Thread> before = pool.threads(ThreadRole.LEADER);
        send(pipe);
        OtherThread.await(() -> !reader.threads().isEmpty());
        List<Thread> processing = pool.threads(ThreadRole.PROCESSING);
        assertEquals(reader.threads(), Set.copyOf(processing));
        assertTrue(before.containsAll(processing));
        assertFalse(pool.threads(ThreadRole.LEADER).containsAll(processing));
        assertTrue(members.threads().containsAll(pool.threads(ThreadRole.LEADER)));
        go.countDown();
        OtherThread.await(() -> pool.threads(ThreadRole.PROCESSING).isEmpty());
    }

    @Test
    void handlerThatDoesNotPromoteKeepsItsThreadLeading() throws Exception {
        Pipe pipe = pipe();
        Recorder reader = reader("reader", pipe);
        reader.note(pool.handleSet().register(reader.handle(), Interest.READ, reader, Promotion.BY_HANDLER));
        join(THREADS);
        for (int i = 1; i <= ROUNDS; i++) {
            send(pipe);
            int expected = i;
            OtherThread.await(() -> reader.received() == expected && reader.count("input") >= expected);
        }
        if (handleSet.hasLeader()) {
            assertEquals(1, reader.threads().size());
        }
    }

    @Test
    void handlerPromotesWhenItLikes() throws Exception {
        Pipe pipe = pipe();
        Pipe other = pipe();
        CountDownLatch go = new CountDownLatch(1);
        List<Boolean> promoted = new CopyOnWriteArrayList<>();
        Recorder reader = reader("reader", pipe).onInput(() -> {
            promoted.add(pool.promoteNewLeader());
            promoted.add(pool.promoteNewLeader());
            OtherThread.await(go);
        });
        Recorder otherReader = register("other", other);
        reader.note(pool.handleSet().register(reader.handle(), Interest.READ, reader, Promotion.BY_HANDLER));
        join(THREADS);
        send(pipe);
        OtherThread.await(() -> reader.called("input"));
        send(pipe);
        send(other);
        OtherThread.await(() -> otherReader.called("input"));
        assertEquals(1, reader.count("input"));
        go.countDown();
        OtherThread.await(() -> promoted.size() == 4);
        assertEquals(List.of(handleSet.hasLeader(), false), promoted.subList(0, 2));
    }

    @Test
    void onlyALeaderCanPromote() throws IOException {
        join(1);
        assertFalse(pool.promoteNewLeader());
    }

    @Test
    void deactivatedHandleIsSilentUntilReactivated() throws Exception {
        Pipe pipe = pipe();
        Pipe other = pipe();
        Recorder reader = register("reader", pipe);
        Recorder otherReader = register("other", other);
        join(2);
        reader.registration().pause();
        send(pipe);
        send(other);
        OtherThread.await(() -> otherReader.received() == 1);
        assertEquals(0, reader.received());
        reader.registration().resume();
        OtherThread.await(() -> reader.received() == 1 && pool.threads(ThreadRole.PROCESSING).isEmpty());
        // Also while a hook runs: its end does not reactivate a handle that another thread has deactivated.
        reader.onInput(() -> OtherThread.run(() -> reader.registration().pause()));
        send(pipe);
        OtherThread.await(() -> reader.received() == 2 && pool.threads(ThreadRole.PROCESSING).isEmpty());
        send(pipe);
        send(other);
        OtherThread.await(() -> otherReader.received() == 2);
        assertEquals(2, reader.received());
        reader.onInput(() -> { });
        reader.registration().resume();
        OtherThread.await(() -> reader.received() == 3);
    }

    @Test
    void hookMayJoinAndDispatchOtherEventsMeanwhile() throws Exception {
        Pipe pipe = pipe();
        Pipe other = pipe();
        Recorder otherReader = register("other", other);
        Recorder reader = register("reader", pipe).onInput(() -> {
            send(other);
            while (!otherReader.called("input")) {
                pool.join(Duration.ofMillis(10));
            }
        });
        Members members = join(1);
        send(pipe);
        OtherThread.await(() -> !otherReader.threads().isEmpty());
        assertEquals(Set.of(members.thread(0)), otherReader.threads());
        send(pipe);
        OtherThread.await(() -> reader.received() == 2);
    }

    @Test
    void handleOfALeaderWhoseHookJoinsIsNotDetectedMeanwhile() throws Exception {
        CountedWaits waits = new CountedWaits(OpenedDemultiplexers.openSynchronous(handleSet.demultiplexer()));
        HandleSetSource handles = new HandleSetSource(waits, handleSet.kind());
        LeaderFollowersPool counted = ownPool(new LeaderFollowersPool(handles, PromotionOrder.LIFO));
        Pipe pipe = pipe();
        AtomicInteger meanwhile = new AtomicInteger();
        // It has received nothing, so the pipe is readable all the time.
        Recorder reader = new Recorder("reader", pipe.source());
        reader.onInput(() -> {
            int before = waits.waits();
            counted.join(Duration.ofMillis(100));
            meanwhile.set(waits.waits() - before);
            reader.registration().close();
        });
        reader.note(handles.register(reader.handle(), Interest.READ, reader, Promotion.BY_HANDLER));
        sendAndAwaitArrival(pipe);
        OtherThread.run(() -> counted.join(Duration.ZERO));
        assertEquals(List.of("input", "close READ"), reader.calls());
        assertTrue(meanwhile.get() > 0 && meanwhile.get() < 10, () -> meanwhile + " waits");
    }

    @Test
    void kindDecidesWhetherThereIsALeader() throws IOException {
        assertEquals(handleSet.isConcurrent(), pool.isConcurrent());
        Mechanism mechanism = Mechanism.choose(handleSet.demultiplexer(), Mechanism.Mode.SYNCHRONOUS);
        boolean own = mechanism.isConcurrent();
        try (LeaderFollowersPool byDefault =
                LeaderFollowersPool.open(handleSet.demultiplexer())) {
            assertEquals(own, byDefault.isConcurrent());
        }
        if (!own) {
            assertThrows(IllegalArgumentException.class, () -> LeaderFollowersPool.open(handleSet.demultiplexer(),
                    PromotionOrder.FIFO, true));
        }
    }

    @Test
    void needsAnOrderAndLeavesNothingWithout() {
        assertThrows(NullPointerException.class,
                () -> LeaderFollowersPool.open(handleSet.demultiplexer(), null, handleSet.isConcurrent()));
    }

    @Test
    void bothDirectionsOfAHandleAreDispatched() throws Exception {
        Connection connection = own(Connection.tcp());
        Recorder both = new Recorder("both", connection.near().handle()).drain(connection.near()::receive);
        both.onOutput(() -> both.registration().interest(Interest.READ));
        both.register(pool, Interest.READ_WRITE);
        join(THREADS);
        OtherThread.await(() -> both.called("output"));
        connection.send("x");
        OtherThread.await(() -> both.called("input"));
        assertEquals(1, both.received());
        assertEquals(1, both.count("output"));
    }

    @Test
    void inputIsNotDispatchedAfterTheOutputHookHasDeactivatedTheHandle() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder both = new Recorder("both", connection.near().handle()).drain(connection.near()::receive);
        both.onOutput(() -> {
            both.registration().interest(Interest.READ);
            both.registration().pause();
        });
        // Both at once.
        connection.send("x");
        both.register(pool, Interest.READ_WRITE);
        assertTrue(pool.join(Duration.ZERO));
        assertEquals(List.of("output"), both.calls());
        both.registration().resume();
        join(1);
        OtherThread.await(() -> both.called("input"));
        assertEquals(1, both.received());
        assertEquals(List.of("output", "input"), both.calls());
    }
}
