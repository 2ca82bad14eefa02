package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.OneHandleHandler;
import dev.sluice.reactor.Recorder;
import dev.sluice.reactor.Registration;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pool with more than one event source has a leader for each, whatever the mechanism and the kind of a set. */
class MultipleLeadersTest extends PoolContract {

    private static final int ROUNDS = CalledSystem.times(100);

    private MultipleLeadersPool leaders;

    private Members open(int threads, PromotionOrder order, EventSource... sources) {
        leaders = ownPool(new MultipleLeadersPool(order, List.of(sources)));
        return own(new Members(leaders, threads));
    }

    /** {@return a set of another mechanism or kind than the one that the test is about, where there is one} */
    private HandleSetSource openOther() throws IOException {
        return openSource(HandleSet.usable(Mode.SYNCHRONOUS).stream()
                .filter(each -> !each.demultiplexer().equals(handleSet.demultiplexer()))
                .reduce((one, next) -> next).orElse(handleSet));
    }

    private static Recorder reader(HandleSetSource source, Pipe pipe) throws IOException {
        Recorder reader = reader("reader", pipe);
        reader.register(source, Interest.READ);
        return reader;
    }

    @ParameterizedTest
    @EnumSource
    void everyHandleSetHasALeader(PromotionOrder order) throws Exception {
        List<HandleSetSource> handleSets = List.of(openSource(), openOther(), openSource());
        open(5, order, handleSets.toArray(EventSource[]::new));
        assertEquals(3, leaders.threads(ThreadRole.LEADER).size());
        assertEquals(2, leaders.threads(ThreadRole.FOLLOWER).size());
        List<Pipe> pipes = new ArrayList<>();
        List<Recorder> readers = new ArrayList<>();
        for (HandleSetSource source : handleSets) {
            Pipe pipe = pipe();
            pipes.add(pipe);
            readers.add(reader(source, pipe));
        }
        for (int i = 1; i <= ROUNDS; i++) {
            int expected = i;
            for (Pipe pipe : pipes) {
                send(pipe);
            }
            OtherThread.await(() -> readers.stream().allMatch(reader -> reader.received() == expected));
        }
        OtherThread.await(() -> leaders.threads(ThreadRole.LEADER).size() == 3
                && leaders.threads(ThreadRole.FOLLOWER).size() == 2);
    }

    @Test
    void leaderOfOneHandleSetIsRemovedAndReplaced() throws Exception {
        HandleSetSource first = openSource();
        HandleSetSource second = openSource();
        open(3, PromotionOrder.FIFO, first, second);
        Thread leader = leaders.threads(ThreadRole.LEADER).get(0);
        assertTrue(leaders.remove(leader));
        OtherThread.awaitEnd(leader);
        OtherThread.await(() -> leaders.threads(ThreadRole.LEADER).size() == 2);
        Pipe firstPipe = pipe();
        Pipe secondPipe = pipe();
        Recorder firstReader = reader(first, firstPipe);
        Recorder secondReader = reader(second, secondPipe);
        send(firstPipe);
        send(secondPipe);
        OtherThread.await(() -> firstReader.received() == 1 && secondReader.received() == 1);
    }

    @Test
    void fewerThreadsThanSourcesServeThemInTurn() throws Exception {
        HandleSetSource first = openSource();
        HandleSetSource second = openSource();
        leaders = ownPool(new MultipleLeadersPool(PromotionOrder.FIFO, List.of(first, second)));
        Pipe firstPipe = pipe();
        Pipe secondPipe = pipe();
        Recorder firstReader = reader(first, firstPipe);
        Recorder secondReader = reader(second, secondPipe);
        for (int i = 1; i <= 10; i++) {
            sendAndAwaitArrival(firstPipe);
            sendAndAwaitArrival(secondPipe);
            leaders.join(Duration.ZERO);
            leaders.join(Duration.ZERO);
            assertEquals(i, firstReader.received());
            assertEquals(i, secondReader.received());
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneThreadThatStaysServesAllSourcesInTurn(PromotionOrder order) throws Exception {
        HandleSetSource first = openSource();
        HandleSetSource second = openOther();
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        AtomicInteger sum = new AtomicInteger();
        HandleSetSource timers = openSource();
        AtomicInteger expired = new AtomicInteger();
        open(1, order, first, second, new QueueSource<>(queue, sum::addAndGet), timers);
        Pipe firstPipe = pipe();
        Pipe secondPipe = pipe();
        Recorder firstReader = reader(first, firstPipe);
        Recorder secondReader = reader(second, secondPipe);
        for (int i = 1; i <= Depth.times(2, 4, 10); i++) {
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
        HandleSetSource first = openSource();
        HandleSetSource second = openSource();
        open(2, order, first, second);
        for (HandleSetSource blocked : List.of(first, second)) {
            HandleSetSource other = blocked == first ? second : first;
            CountDownLatch release = new CountDownLatch(1);
            Pipe blocking = pipe();
            Recorder blocker = new Recorder("blocker", blocking.source()).drain(blocking::receive)
                    .onInput(() -> OtherThread.await(release));
            blocker.register(blocked, Interest.READ);
            Pipe samePipe = pipe();
            Pipe otherPipe = pipe();
            Recorder same = reader(blocked, samePipe);
            Recorder elsewhere = reader(other, otherPipe);
            OtherThread.await(() -> leaders.threads(ThreadRole.LEADER).size() == 2);
            send(blocking);
            OtherThread.await(() -> leaders.threads(ThreadRole.PROCESSING).size() == 1);
            for (int i = 1; i <= 3; i++) {
                int round = i;
                send(samePipe);
                OtherThread.await(() -> same.received() == round);
                send(otherPipe);
                OtherThread.await(() -> elsewhere.received() == round);
            }
            release.countDown();
        }
        OtherThread.await(() -> leaders.threads(ThreadRole.LEADER).size() == 2);
    }

    @Test
    void handlersThatNeverPromoteLeaveAThreadToOtherSources() throws Exception {
        HandleSetSource busy = openSource();
        HandleSetSource quiet = openSource();
        open(1, PromotionOrder.FIFO, busy, quiet);
        Pipe full = pipe();
        send(full);
        AtomicInteger iterations = new AtomicInteger();
        OneHandleHandler greedy = new OneHandleHandler() {
            @Override
            public Handle handle() {
                return full.source();
            }

            @Override
            public void handleInput(Registration registration) {
                iterations.incrementAndGet();
            }
        };
        greedy.note(busy.register(greedy.handle(), Interest.READ, greedy, Promotion.BY_HANDLER));
        OtherThread.await(() -> iterations.get() > 100);
        Pipe pipe = pipe();
        Recorder reader = reader(quiet, pipe);
        for (int i = 1; i <= Depth.times(2, 4, 10); i++) {
            int round = i;
            send(pipe);
            OtherThread.await(() -> reader.received() == round);
        }
        greedy.registration().close();
    }

    @Test
    void handleSetQueueAndTimersShareThreads() throws Exception {
        HandleSetSource handles = openSource();
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        AtomicInteger sum = new AtomicInteger();
        HandleSetSource timers = openSource();
        AtomicInteger expired = new AtomicInteger();
        Members members = open(5, PromotionOrder.LIFO,
                handles, new QueueSource<>(queue, sum::addAndGet), timers);
        Pipe pipe = pipe();
        Recorder reader = reader(handles, pipe);
        int expectedSum = 0;
        for (int i = 1; i <= ROUNDS; i++) {
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
            assertTrue(leaders.remove(thread));
        }
        members.threads().forEach(OtherThread::awaitEnd);
        assertEquals(0, members.failures().size());
    }

    @Test
    void leftoversOfOneWaitAreDispatchedWithoutAnother() throws Exception {
        CountedWaits counted = new CountedWaits(OpenedDemultiplexers.openSynchronous(handleSet.demultiplexer()));
        HandleSetSource handles = new HandleSetSource(counted, HandleSetKind.ITERATIVE);
        leaders = ownPool(new MultipleLeadersPool(PromotionOrder.FIFO, List.of(handles)));
        List<Recorder> readers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Pipe pipe = pipe();
            readers.add(reader(handles, pipe));
            sendAndAwaitArrival(pipe);
        }
        // A different leader each time, since each call of join begins and ends a membership.
        for (int i = 1; i <= 10; i++) {
            OtherThread.run(() -> leaders.join(Duration.ZERO));
            assertEquals(i, readers.stream().mapToInt(Recorder::received).sum());
        }
        assertEquals(1, counted.waits());
    }
}
