package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.testing.Depth;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stages that come and go, and edges that move, while the graph runs. */
@Tag(Depth.IN_QUICK)
class StageGraphChangeTest {

    private static final Duration LIMIT = EventLoopContract.LIMIT;

    private final StageGraph graph = new StageGraph("graph of a test");
    private final List<String> stops = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        graph.stop(LIMIT);
    }

    /** Passes each event on to another stage, if there is one. */
    private final class Passing implements StageHandler<Integer> {

        private final String target;
        private final Set<Integer> handled = ConcurrentHashMap.newKeySet();
        private volatile StageContext context;
        private volatile EventQueue<Integer> queue;

        Passing(String target) {
            this.target = target;
        }

        @Override
        public void handleStart(StageContext surroundings) {
            context = surroundings;
            if (target != null) {
                queue = context.queue(target, Integer.class);
            }
        }

        @Override
        public void handleEvents(EventBatch<Integer> batch) throws InterruptedException {
            for (Integer event = batch.next(); event != null; event = batch.next()) {
                handled.add(event);
                if (queue != null) {
                    assertEquals(EnqueueResult.ACCEPTED, queue.enqueue(event, LIMIT));
                }
            }
        }

        @Override
        public void handleStop() {
            stops.add(context.stage().name());
        }
    }

    private Stage<Integer> add(String name, StageHandler<Integer> handler) {
        return graph.add(name, Integer.class, handler);
    }

    private List<String> names() {
        return graph.stages().stream().map(Stage::name).toList();
    }

    private List<String> edges() {
        return graph.edgeAccounts().stream().filter(edge -> edge.source() != null)
                .map(edge -> edge.source() + " " + edge.target() + " " + edge.accepted()).toList();
    }

    @Test
    void aStageComesWhileTheGraphRunsWithItsControllers() {
        Passing first = new Passing(null);
        add("first", first);
        graph.start();
        Passing second = new Passing("first");
        AtomicInteger samples = new AtomicInteger();
        Stage<Integer> stage = graph.add("second", Integer.class, second,
                new StageOptions<Integer>().control(sample -> {
                    samples.incrementAndGet();
                    return new Decision.Threshold(7);
                }));
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(1));
        OtherThread.await(() -> first.handled.contains(1));
        OtherThread.await(() -> stage.threshold() == 7);
        assertEquals(List.of("first", "second"), names());
        assertEquals(List.of("second first 1"), edges());
        // The other way round, too.
        assertEquals(EnqueueResult.ACCEPTED, first.context.queue("second", Integer.class).enqueue(2));
        OtherThread.await(() -> first.handled.contains(2));
        assertTrue(samples.get() > 0);
        assertEquals(2, graph.stop(LIMIT).stages().size());
        assertThrows(IllegalStateException.class, () -> add("third", new Passing(null)));
    }

    @Test
    void aStageThatCannotStartIsNotAdded() {
        graph.start();
        IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> add("poor",
                new Passing("unknown")));
        assertEquals("poor of graph of a test cannot start", thrown.getMessage());
        assertEquals(List.of("poor"), stops);
        assertEquals(List.of(), names());
        assertEquals(List.of(), graph.edgeAccounts());
        add("poor", new Passing(null));
    }

    @Test
    void aStageIsRemovedAfterItHasHandledWhatItAccepted() throws Exception {
        Passing last = new Passing(null);
        Stage<Integer> end = add("end", last);
        Gate gate = new Gate();
        Stage<Integer> middle = add("middle", gate);
        Passing passing = new Passing("middle");
        add("first", passing);
        graph.start();
        gate.occupy(middle);
        assertEquals(EnqueueResult.ACCEPTED, passing.queue.enqueue(5));
        passing.queue.workStarted();
        OtherThread<StopReport> removal = OtherThread.start(() -> graph.remove(middle, LIMIT));
        OtherThread.await(() -> names().equals(List.of("end", "first")));
        assertFalse(graph.drain(Duration.ZERO));
        // What is announced still comes.
        assertEquals(EnqueueResult.ACCEPTED, passing.queue.enqueue(6));
        passing.queue.workFinished();
        assertEquals(EnqueueResult.CLOSED, passing.queue.enqueue(7));
        assertEquals(EnqueueResult.CLOSED, middle.queue().enqueue(8));
        assertTrue(passing.queue.isClosed());
        gate.open();
        StopReport report = removal.result();
        assertTrue(report.isDrained(), report::toString);
        assertEquals(List.of(5, 6), gate.handled);
        assertEquals(new StageAccount("middle", 3, 3, 0, 0, 2, 0), report.stages().get(0));
        assertEquals(List.of(), edges());
        assertEquals(0, middle.threads());

        IllegalStateException twice = assertThrows(IllegalStateException.class, () -> graph.remove(middle, LIMIT));
        assertEquals("middle has already been removed from graph of a test", twice.getMessage());
        assertThrows(IllegalStateException.class, () -> graph.replace(middle, new Gate(), new StageOptions<>(), LIMIT));
        assertThrows(IllegalArgumentException.class, () -> passing.context.queue(middle));
        assertThrows(IllegalArgumentException.class, () -> passing.context.queue("middle", Integer.class));
        assertThrows(IllegalArgumentException.class,
                () -> new StageGraph("other").remove(end, LIMIT));
        assertEquals(List.of("end", "first"), graph.stop(LIMIT).stages().stream().map(StageAccount::stage).toList());
    }

    @Test
    void whatARemovedStageHasAnnouncedIsWaitedFor() throws Exception {
        Stage<Integer> end = add("end", new Passing(null));
        Passing passing = new Passing("end");
        Stage<Integer> first = add("first", passing);
        graph.start();
        passing.queue.workStarted();
        assertTrue(graph.remove(first, LIMIT).isDrained());
        assertEquals(1, end.expected());
        // The stage that expects it may be replaced, too.
        Passing last = new Passing(null);
        graph.replace(end, last, new StageOptions<>(), LIMIT);
        OtherThread<StopReport> stopping = OtherThread.start(() -> graph.stop(LIMIT));
        OtherThread.awaitWaiting(stopping.thread());
        assertEquals(EnqueueResult.ACCEPTED, passing.queue.enqueue(1));
        passing.queue.workFinished();
        assertTrue(stopping.result().isDrained());
        assertEquals(Set.of(1), last.handled);
    }

    @Test
    void whatIsLeftIsDiscardedWhenTheTimeIsOver() {
        Gate gate = new Gate();
        Stage<Integer> stage = add("stage", gate);
        graph.start();
        gate.occupy(stage);
        stage.queue().enqueueAll(List.of(1, 2, 3));
        StopReport report = graph.remove(stage, Duration.ofMillis(1));
        assertEquals(3, report.discarded());
        assertEquals(List.of(1, 2, 3), gate.discarded);
        gate.open();
    }

    @Test
    void removingContinuesWhereThereWasNoMemory() {
        AtomicInteger stopped = new AtomicInteger();
        Stage<Integer> stage = add("poor", new StageHandler<>() {
            @Override
            public void handleEvents(EventBatch<Integer> batch) {
                batch.next();
            }

            @Override
            public void handleStop() {
                if (stopped.getAndIncrement() == 0) {
                    throw new OutOfMemoryError("thrown by the test");
                }
            }
        });
        graph.start();
        assertThrows(OutOfMemoryError.class, () -> graph.remove(stage, LIMIT));
        assertTrue(graph.remove(stage, LIMIT).isDrained());
        assertEquals(2, stopped.get());
        assertThrows(IllegalStateException.class, () -> graph.remove(stage, LIMIT));
    }

    /** Producers enqueue all the time, from outside and inside, wait for space, and reserve places. */
    @Test
    void noEventIsRefusedOrLostWhileStagesAreReplaced() throws Exception {
        Set<Integer> handled = ConcurrentHashMap.newKeySet();
        Stage<Integer> work = graph.add("work", Integer.class, collecting(handled),
                new StageOptions<Integer>().capacity(4));
        Passing passing = new Passing("work");
        Stage<Integer> first = add("first", passing);
        graph.start();
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        List<OtherThread<Void>> producers = new CopyOnWriteArrayList<>();
        List<EventQueue<Integer>> queues = List.of(work.queue(), passing.queue, first.queue());
        for (EventQueue<Integer> queue : queues) {
            producers.add(OtherThread.start(() -> {
                while (!ended.get()) {
                    assertEquals(EnqueueResult.ACCEPTED, queue.enqueue(sent.incrementAndGet(), LIMIT));
                    try (Reservation<Integer> place = queue.prepare(sent.incrementAndGet())) {
                        if (place.result() == EnqueueResult.ACCEPTED) {
                            place.commit();
                        } else {
                            assertEquals(EnqueueResult.FULL, place.result());
                            sent.decrementAndGet();
                            assertEquals(EnqueueResult.ACCEPTED, queue.enqueue(sent.incrementAndGet(), LIMIT));
                        }
                    }
                }
                return null;
            }));
        }
        Stage<Integer> current = work;
        long accepted = 0;
        for (int round = 0; round < 50; round++) {
            Stage<Integer> next = graph.replace(current, collecting(handled),
                    new StageOptions<Integer>().capacity(4), LIMIT);
            assertEquals(current.accepted(), current.handled());
            accepted += current.handled();
            current = next;
            assertEquals(List.of("work", "first"), names());
        }
        ended.set(true);
        for (OtherThread<Void> producer : producers) {
            producer.result();
        }
        assertTrue(graph.stop(LIMIT).isDrained());
        accepted += current.handled();
        assertEquals(StageGraphTest.accepted(graph, null, "work") + StageGraphTest.accepted(graph, "first", "work"),
                accepted);
    }

    private static StageHandler<Integer> collecting(Set<Integer> handled) {
        return batch -> {
            for (Integer event = batch.next(); event != null; event = batch.next()) {
                handled.add(event);
            }
        };
    }

    @Test
    void listenersAndWaitingProducersFollowAReplacedStage() throws Exception {
        Gate gate = new Gate();
        Stage<Integer> old = graph.add("stage", Integer.class, gate, new StageOptions<Integer>().capacity(1));
        graph.start();
        gate.occupy(old);
        assertEquals(EnqueueResult.ACCEPTED, old.queue().enqueue(1));
        OtherThread<EnqueueResult> waiting = OtherThread.start(() -> old.queue().enqueue(2, LIMIT));
        OtherThread.awaitWaiting(waiting.thread());
        CountDownLatch notified = new CountDownLatch(1);
        assertTrue(old.queue().notifyWhenHalfEmpty(new SpaceListener() {
            @Override
            public void spaceAvailable() {
                notified.countDown();
            }
        }));
        Passing passing = new Passing(null);
        // Nothing frees a place of the old queue, so it is closed when the time is over.
        Stage<Integer> stage = graph.replace(old, passing, new StageOptions<>(), Duration.ofMillis(1));
        assertEquals(List.of(1), gate.discarded);
        OtherThread.await(notified);
        assertEquals(EnqueueResult.ACCEPTED, waiting.result());
        assertEquals(EnqueueResult.ACCEPTED, old.queue().enqueue(3));
        OtherThread.await(() -> passing.handled.containsAll(List.of(2, 3)));
        assertEquals(old.queue(), stage.queue());
        gate.open();
    }

    @Test
    void anEdgeMoves() {
        Passing one = new Passing(null);
        Stage<Integer> first = add("one", one);
        Passing two = new Passing(null);
        Stage<Integer> second = add("two", two);
        Passing passing = new Passing("one");
        Stage<Integer> source = add("source", passing);
        graph.start();
        source.queue().enqueue(1);
        OtherThread.await(() -> one.handled.contains(1));
        graph.moveEdge(source, first, second);
        source.queue().enqueue(2);
        OtherThread.await(() -> two.handled.contains(2));
        assertEquals(List.of("source two 2"), edges());
        passing.context.queue(second).enqueue(3);
        assertEquals(List.of("source two 3"), edges());
        graph.moveEdge(null, first, second);
        first.queue().enqueue(4);
        OtherThread.await(() -> two.handled.contains(4));
        assertThrows(IllegalArgumentException.class, () -> graph.moveEdge(source, first, second));
        assertTrue(graph.remove(first, LIMIT).isDrained());
        assertThrows(IllegalStateException.class, () -> graph.moveEdge(source, second, first));
        // Nothing leads to it that has moved away, so its removal has closed nothing.
        assertEquals(EnqueueResult.ACCEPTED, first.queue().enqueue(5));
    }

    @Test
    void directStagesMakeNoCircleLater() {
        StageOptions<Integer> direct = new StageOptions<Integer>().direct();
        Stage<Integer> one = graph.add("one", Integer.class, new Passing(null), direct);
        Stage<Integer> two = graph.add("two", Integer.class, new Passing("one"), direct);
        Stage<Integer> three = add("three", new Passing(null));
        graph.add("four", Integer.class, new Passing("three"), direct);
        graph.start();
        assertThrows(IllegalArgumentException.class, () -> graph.replace(one, new Passing("two"), direct, LIMIT));
        assertEquals(List.of("one", "two", "three", "four"), names());
        assertEquals(List.of("one"), stops);
        assertThrows(IllegalArgumentException.class, () -> graph.replace(three, new Passing("four"), direct, LIMIT));
        two.queue().enqueue(1);
        OtherThread.await(() -> one.handled() == 1);
    }
}
