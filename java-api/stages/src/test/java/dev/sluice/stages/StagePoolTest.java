package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stages that share one thread. */
class StagePoolTest {

    private static final Duration LIMIT = EventLoopContract.LIMIT;

    private final StagePool pool = new StagePool("pool of a test", 1);
    private final StageGraph graph = new StageGraph("graph of a test");
    private final List<String> order = new CopyOnWriteArrayList<>();
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    @AfterEach
    void stop() {
        open.countDown();
        graph.stop(LIMIT);
        pool.close();
    }

    private Stage<Integer> add(String name, int priority) {
        return graph.add(name, Integer.class, batch -> {
            while (batch.next() != null) {
                order.add(name);
            }
        }, options(priority));
    }

    private StageOptions<Integer> options(int priority) {
        return new StageOptions<Integer>().pool(pool).priority(priority).batch(1);
    }

    private void occupy() {
        Stage<Integer> gate = graph.add("gate", Integer.class, batch -> {
            inside.countDown();
            OtherThread.await(open);
            batch.next();
        }, options(99));
        graph.start();
        gate.queue().enqueue(0);
        OtherThread.await(inside);
    }

    @Test
    void thoseOfHigherPriorityComeFirst() throws Exception {
        Stage<Integer> low = add("low", -1);
        Stage<Integer> high = add("high", 7);
        Stage<Integer> usual = add("usual", 0);
        occupy();
        low.queue().enqueueAll(List.of(1, 2));
        usual.queue().enqueueAll(List.of(1, 2));
        high.queue().enqueueAll(List.of(1, 2));
        open.countDown();
        graph.drain(LIMIT);
        assertEquals(List.of("high", "high", "usual", "usual", "low", "low"), order);
    }

    @Test
    void equalsTakeTurns() throws Exception {
        Stage<Integer> one = add("one", 0);
        Stage<Integer> two = add("two", 0);
        occupy();
        one.queue().enqueueAll(List.of(1, 2, 3));
        two.queue().enqueueAll(List.of(1, 2, 3));
        open.countDown();
        graph.drain(LIMIT);
        assertEquals(List.of("one", "two", "one", "two", "one", "two"), order);
    }

    @Test
    void noneStarves() throws Exception {
        CountDownLatch served = new CountDownLatch(1);
        Stage<Integer> low = graph.add("low", Integer.class, batch -> {
            batch.next();
            served.countDown();
        }, options(-1));
        Stage<Integer> busy = graph.add("busy", Integer.class, new StageHandler<>() {
            private EventQueue<Integer> itself;

            @Override
            public void handleStart(StageContext context) {
                itself = context.queue("busy", Integer.class);
            }

            @Override
            public void handleEvents(EventBatch<Integer> batch) {
                // There is always something of a higher priority, until the other one has been served.
                int event = batch.next();
                if (served.getCount() > 0) {
                    itself.enqueue(event);
                }
            }
        }, options(1));
        occupy();
        busy.queue().enqueueAll(List.of(1, 2, 3));
        low.queue().enqueue(1);
        open.countDown();
        OtherThread.await(served);
        graph.drain(LIMIT);
    }

    @Test
    void refusesWhatCannotBe() {
        assertThrows(IllegalArgumentException.class, () -> new StagePool("none", 0));
        add("stage", 0);
        pool.close();
        IllegalStateException failed = assertThrows(IllegalStateException.class, graph::start);
        assertEquals("pool of a test is closed", failed.getCause().getMessage());
    }
}
