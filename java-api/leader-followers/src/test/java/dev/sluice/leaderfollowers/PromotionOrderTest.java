package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The order in which followers are promoted. */
@RunsOn(HandleSetKind.ITERATIVE)
class PromotionOrderTest extends PoolContract {

    private static final int THREADS = 8;
    private static final int EVENTS = THREADS * CalledSystem.times(50);

    private Members members;
    private Pipe pipe;
    /** The threads that have dispatched, in order. */
    private final List<Thread> dispatchers = new CopyOnWriteArrayList<>();

    /** Threads that have joined one at a time, the first of which leads. */
    private void open(PromotionOrder order, int... priorities) throws IOException {
        pool = ownPool(openPool(order));
        members = own(new Members(pool, 0));
        for (int priority : priorities) {
            members.add(priority);
        }
        pipe = pipe();
        reader("reader", pipe).onInput(() -> dispatchers.add(Thread.currentThread())).register(pool, Interest.READ);
    }

    /** Sends events one at a time, each when no event is being dispatched. */
    private Map<Thread, Integer> exchange(int events) throws IOException {
        for (int i = 0; i < events; i++) {
            int expected = dispatchers.size() + 1;
            send(pipe);
            OtherThread.await(() -> dispatchers.size() == expected && pool.threads(ThreadRole.PROCESSING).isEmpty());
        }
        Map<Thread, Integer> counts = new HashMap<>();
        dispatchers.forEach(thread -> counts.merge(thread, 1, Integer::sum));
        return counts;
    }

    private static int[] equalPriorities() {
        int[] priorities = new int[THREADS];
        Arrays.fill(priorities, Thread.NORM_PRIORITY);
        return priorities;
    }

    @Test
    void lifoReusesTheWarmThreads() throws Exception {
        open(PromotionOrder.LIFO, equalPriorities());
        Map<Thread, Integer> counts = exchange(EVENTS);
        // The one that led at first and the one that came last take turns; the others sleep on.
        assertEquals(Map.of(members.thread(0), EVENTS / 2, members.thread(THREADS - 1), EVENTS / 2), counts);
    }

    @Test
    void fifoLetsAllThreadsTakeTurns() throws Exception {
        open(PromotionOrder.FIFO, equalPriorities());
        Map<Thread, Integer> counts = exchange(EVENTS);
        assertEquals(THREADS, counts.size());
        assertTrue(counts.values().stream().allMatch(count -> count == EVENTS / THREADS), counts::toString);
        assertEquals(members.threads(), dispatchers.subList(0, THREADS));
    }

    @Test
    void highestPriorityIsPromotedFirst() throws Exception {
        open(PromotionOrder.PRIORITY, 1, 3, 9, 5, 9, 2);
        Map<Thread, Integer> counts = exchange(EVENTS);
        // The first thread leads because it joined alone; after it, the two of the highest priority alternate.
        assertEquals(Map.of(members.thread(0), 1, members.thread(2), EVENTS / 2,
                members.thread(4), (EVENTS - 1) / 2), counts);
    }

    @Test
    void lowerPriorityIsPromotedOnlyWhenNoHigherOneFollows() throws Exception {
        open(PromotionOrder.PRIORITY, 5, 1, 8, 3, 6);
        CountDownLatch go = new CountDownLatch(1);
        List<Integer> leaders = new ArrayList<>();
        for (int i = 0; i < members.threads().size(); i++) {
            leaders.add(pool.threads(ThreadRole.LEADER).get(0).getPriority());
            Pipe next = pipe();
            register("busy " + i, next).onInput(() -> OtherThread.await(go));
            send(next);
            int processing = i + 1;
            OtherThread.await(() -> pool.threads(ThreadRole.PROCESSING).size() == processing);
        }
        go.countDown();
        assertEquals(List.of(5, 8, 6, 3, 1), leaders);
        OtherThread.await(() -> pool.threads(ThreadRole.PROCESSING).isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void everyOrderServesAll(PromotionOrder order) throws Exception {
        open(order, equalPriorities());
        assertEquals(EVENTS, exchange(EVENTS).values().stream().mapToInt(Integer::intValue).sum());
        assertEquals(1, pool.threads(ThreadRole.LEADER).size());
        assertEquals(THREADS - 1, pool.threads(ThreadRole.FOLLOWER).size());
    }
}
