package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Recorder;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerHeap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pool with more than one event source has a leader for each. */
@Tag("one-binding")
class MultipleLeadersTest extends PoolTest {

    private MultipleLeadersPool pool;

    private Members open(int threads, PromotionOrder order, EventSource... sources) {
        pool = ownPool(new MultipleLeadersPool(order, List.of(sources)));
        return own(new Members(pool, threads));
    }

    private static HandleSetSource handleSet(String demultiplexer) throws IOException {
        return new HandleSetSource(Demultiplexers.openSynchronous(demultiplexer));
    }

    private Recorder reader(HandleSetSource handleSet, Pipe pipe) throws IOException {
        Recorder reader = new Recorder("reader", pipe.source().handle()).drain(pipe.source()::receive);
        handleSet.registerHandler(reader, EventType.READ);
        return reader;
    }

    private static void send(Pipe pipe) throws IOException {
        pipe.sink().send(ByteBuffer.wrap(new byte[1]));
    }

    @ParameterizedTest
    @EnumSource
    void everyHandleSetHasALeader(PromotionOrder order) throws Exception {
        List<HandleSetSource> handleSets = List.of(handleSet("auto"), handleSet("poll"), handleSet("select"));
        open(5, order, handleSets.toArray(EventSource[]::new));
        assertEquals(3, pool.threads(ThreadRole.LEADER).size());
        assertEquals(2, pool.threads(ThreadRole.FOLLOWER).size());
        List<Pipe> pipes = new ArrayList<>();
        List<Recorder> readers = new ArrayList<>();
        for (HandleSetSource handleSet : handleSets) {
            Pipe pipe = own(Pipe.open());
            pipes.add(pipe);
            readers.add(reader(handleSet, pipe));
        }
        for (int i = 1; i <= 100; i++) {
            int expected = i;
            for (Pipe pipe : pipes) {
                send(pipe);
            }
            OtherThread.await(() -> readers.stream().allMatch(reader -> reader.received() == expected));
        }
        OtherThread.await(() -> pool.threads(ThreadRole.LEADER).size() == 3
                && pool.threads(ThreadRole.FOLLOWER).size() == 2);
    }

    @Test
    void leaderOfOneHandleSetIsRemovedAndReplaced() throws Exception {
        HandleSetSource first = handleSet("auto");
        HandleSetSource second = handleSet("auto");
        open(3, PromotionOrder.FIFO, first, second);
        Thread leader = pool.threads(ThreadRole.LEADER).get(0);
        assertTrue(pool.remove(leader));
        OtherThread.awaitEnd(leader);
        OtherThread.await(() -> pool.threads(ThreadRole.LEADER).size() == 2);
        Pipe firstPipe = own(Pipe.open());
        Pipe secondPipe = own(Pipe.open());
        Recorder firstReader = reader(first, firstPipe);
        Recorder secondReader = reader(second, secondPipe);
        send(firstPipe);
        send(secondPipe);
        OtherThread.await(() -> firstReader.received() == 1 && secondReader.received() == 1);
    }

    @Test
    void fewerThreadsThanSourcesServeThemInTurn() throws Exception {
        HandleSetSource first = handleSet("auto");
        HandleSetSource second = handleSet("auto");
        pool = ownPool(new MultipleLeadersPool(PromotionOrder.FIFO, List.of(first, second)));
        Pipe firstPipe = own(Pipe.open());
        Pipe secondPipe = own(Pipe.open());
        Recorder firstReader = reader(first, firstPipe);
        Recorder secondReader = reader(second, secondPipe);
        for (int i = 1; i <= 10; i++) {
            send(firstPipe);
            send(secondPipe);
            pool.join(Duration.ZERO);
            pool.join(Duration.ZERO);
            assertEquals(i, firstReader.received());
            assertEquals(i, secondReader.received());
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneThreadThatStaysServesAllSourcesInTurn(PromotionOrder order) throws Exception {
        HandleSetSource first = handleSet("auto");
        HandleSetSource second = handleSet("poll");
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        AtomicInteger sum = new AtomicInteger();
        TimerSource timers = new TimerSource(new TimerHeap());
        AtomicInteger expired = new AtomicInteger();
        open(1, order, first, second, new QueueSource<>(queue, sum::addAndGet), timers);
        Pipe firstPipe = own(Pipe.open());
        Pipe secondPipe = own(Pipe.open());
        Recorder firstReader = reader(first, firstPipe);
        Recorder secondReader = reader(second, secondPipe);
        for (int i = 1; i <= 10; i++) {
            int round = i;
            send(secondPipe);
            OtherThread.await(() -> secondReader.received() == round);
            queue.add(1);
            OtherThread.await(() -> sum.get() == round);
            send(firstPipe);
            OtherThread.await(() -> firstReader.received() == round);
            timers.schedule(token -> expired.incrementAndGet(), null, Duration.ZERO);
            OtherThread.await(() -> expired.get() == round);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLeaderThatSleepsTakesOverFromOneWhoseHookBlocks(PromotionOrder order) throws Exception {
        HandleSetSource first = handleSet("auto");
        HandleSetSource second = handleSet("auto");
        open(2, order, first, second);
        for (HandleSetSource blocked : List.of(first, second)) {
            HandleSetSource other = blocked == first ? second : first;
            CountDownLatch release = new CountDownLatch(1);
            Pipe blocking = own(Pipe.open());
            Recorder blocker = new Recorder("blocker", blocking.source().handle()).drain(blocking.source()::receive)
                    .onInput(() -> OtherThread.await(release));
            blocked.registerHandler(blocker, EventType.READ);
            Pipe samePipe = own(Pipe.open());
            Pipe otherPipe = own(Pipe.open());
            Recorder same = reader(blocked, samePipe);
            Recorder elsewhere = reader(other, otherPipe);
            OtherThread.await(() -> pool.threads(ThreadRole.LEADER).size() == 2);
            send(blocking);
            OtherThread.await(() -> pool.threads(ThreadRole.PROCESSING).size() == 1);
            for (int i = 1; i <= 3; i++) {
                int round = i;
                send(samePipe);
                OtherThread.await(() -> same.received() == round);
                send(otherPipe);
                OtherThread.await(() -> elsewhere.received() == round);
            }
            release.countDown();
        }
        OtherThread.await(() -> pool.threads(ThreadRole.LEADER).size() == 2);
    }

    @Test
    void handlersThatNeverPromoteLeaveAThreadToOtherSources() throws Exception {
        HandleSetSource busy = handleSet("auto");
        HandleSetSource quiet = handleSet("auto");
        open(1, PromotionOrder.FIFO, busy, quiet);
        Pipe full = own(Pipe.open());
        send(full);
        AtomicInteger turns = new AtomicInteger();
        EventHandler greedy = new EventHandler() {
            @Override
            public Handle handle() {
                return full.source().handle();
            }

            @Override
            public void handleInput(Handle stillReadable) {
                turns.incrementAndGet();
            }
        };
        busy.registerHandler(greedy.handle(), greedy, EventType.READ, Promotion.BY_HANDLER);
        OtherThread.await(() -> turns.get() > 100);
        Pipe pipe = own(Pipe.open());
        Recorder reader = reader(quiet, pipe);
        for (int i = 1; i <= 10; i++) {
            int round = i;
            send(pipe);
            OtherThread.await(() -> reader.received() == round);
        }
        busy.removeHandler(greedy.handle());
    }

    @Test
    void handleSetQueueAndTimersShareThreads() throws Exception {
        HandleSetSource handleSet = handleSet("auto");
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        AtomicInteger sum = new AtomicInteger();
        TimerSource timers = new TimerSource(new TimerHeap());
        AtomicInteger expired = new AtomicInteger();
        Members members = open(5, PromotionOrder.LIFO,
                handleSet, new QueueSource<>(queue, sum::addAndGet), timers);
        Pipe pipe = own(Pipe.open());
        Recorder reader = reader(handleSet, pipe);
        int expectedSum = 0;
        for (int i = 1; i <= 100; i++) {
            send(pipe);
            queue.add(i);
            expectedSum += i;
            timers.schedule(token -> expired.addAndGet((Integer) token), 1, Duration.ofNanos(i * 1000));
            int round = i;
            int summed = expectedSum;
            OtherThread.await(() -> reader.received() == round && sum.get() == summed && expired.get() == round);
        }
        members.threads().forEach(Thread::interrupt);
        queue.add(1000);
        int withLast = expectedSum + 1000;
        OtherThread.await(() -> sum.get() == withLast);
        assertTrue(members.threads().stream().allMatch(Thread::isAlive));
        for (Thread thread : members.threads()) {
            assertTrue(pool.remove(thread));
        }
        members.threads().forEach(OtherThread::awaitEnd);
        assertEquals(0, members.failures().size());
    }

    @Test
    void elementsAreHandledByManyThreadsAtOnceAndNoneTwice() throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        Set<Integer> handled = ConcurrentHashMap.newKeySet();
        AtomicReference<String> failed = new AtomicReference<>();
        CountDownLatch together = new CountDownLatch(4);
        open(4, PromotionOrder.LIFO, new QueueSource<>(queue, new ElementHandler<Integer>() {
            @Override
            public void handleElement(Integer element) throws Exception {
                if (element < 4) {
                    together.countDown();
                    OtherThread.await(together);
                }
                assertTrue(handled.add(element));
                if (element == 7) {
                    throw new IOException("on purpose");
                }
            }

            @Override
            public void handleFailure(Integer element, Throwable cause) {
                failed.set(element + " " + cause.getMessage());
            }
        }));
        for (int i = 0; i < 1000; i++) {
            queue.add(i);
        }
        OtherThread.await(() -> handled.size() == 1000 && failed.get() != null);
        assertEquals("7 on purpose", failed.get());
    }

    @Test
    void timersAreCancelledAndRepeated() throws Exception {
        TimerSource timers = new TimerSource(new TimerHeap());
        open(2, PromotionOrder.FIFO, timers);
        AtomicInteger cancelled = new AtomicInteger();
        Object token = new Object();
        Timer never = timers.schedule(t -> cancelled.incrementAndGet(), token, Duration.ofDays(1000 * 365));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch repeated = new CountDownLatch(20);
        Recorder handler = new Recorder("periodic").onTimeout(() -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            repeated.countDown();
            inside.decrementAndGet();
            throw new IOException("on purpose");
        });
        Timer periodic = timers.schedule(handler, token, Duration.ZERO, Duration.ofMillis(1));
        OtherThread.await(repeated);
        assertTrue(handler.failures().size() > 1);
        assertSame(token, timers.cancel(periodic));
        assertSame(token, timers.cancel(never));
        assertSame(null, timers.cancel(never));
        assertEquals(1, most.get());
        assertEquals(0, cancelled.get());
        assertThrows(IllegalArgumentException.class, () ->
                timers.schedule(t -> { }, null, Duration.ZERO, Duration.ZERO));
        close(pool);
        assertThrows(IllegalStateException.class, () -> timers.schedule(t -> { }, null, Duration.ZERO));
    }

    @Test
    void poolNeedsASource() {
        assertThrows(IllegalArgumentException.class, () -> new MultipleLeadersPool(PromotionOrder.FIFO, List.of()));
    }

    @Test
    void leftoversOfOneWaitAreDispatchedWithoutAnother() throws Exception {
        CountedWaits counted = new CountedWaits(Demultiplexers.openSynchronous("poll"));
        HandleSetSource handleSet = new HandleSetSource(counted);
        pool = ownPool(new MultipleLeadersPool(PromotionOrder.FIFO, List.of(handleSet)));
        List<Recorder> readers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Pipe pipe = own(Pipe.open());
            readers.add(reader(handleSet, pipe));
            send(pipe);
        }
        // A different leader each time, since each call of join begins and ends a membership.
        for (int i = 1; i <= 10; i++) {
            OtherThread.run(() -> pool.join(Duration.ZERO));
            assertEquals(i, readers.stream().mapToInt(Recorder::received).sum());
        }
        assertEquals(1, counted.waits());
    }
}
