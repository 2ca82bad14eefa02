package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.testing.Depth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Changes of a running graph at the wrong moment, from the wrong thread, or very often, and hooks that fail. */
class StageGraphHostilityTest {

    private static final Duration LIMIT = EventLoopContract.LIMIT;
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final int CHANGES = Depth.times(50, 100, 1000, 1000);

    private final AtomicReference<GraphController> controller = new AtomicReference<>(sample -> Map.of());
    private final StageGraph graph = new StageGraph("graph of a test", sample -> controller.get().decide(sample));
    private final Gate gate = new Gate();

    @AfterEach
    void stop() {
        gate.open();
        graph.stop(LIMIT);
    }

    private Stage<Integer> add(String name, StageHandler<Integer> handler) {
        return graph.add(name, Integer.class, handler);
    }

    // Many changes

    /** Where the events end up: each of them once. */
    private static final class Sink implements StageHandler<Integer> {

        private final Set<Integer> seen = ConcurrentHashMap.newKeySet();
        private final AtomicInteger handled = new AtomicInteger();

        @Override
        public void handleEvents(EventBatch<Integer> batch) {
            for (Integer event = batch.next(); event != null; event = batch.next()) {
                seen.add(event);
                handled.incrementAndGet();
            }
        }
    }

    private static StageHandler<Integer> passingTo(String target) {
        return new StageHandler<>() {

            private EventQueue<Integer> queue;

            @Override
            public void handleStart(StageContext context) {
                queue = context.queue(target, Integer.class);
            }

            @Override
            public void handleEvents(EventBatch<Integer> batch) throws InterruptedException {
                for (Integer event = batch.next(); event != null; event = batch.next()) {
                    assertEquals(EnqueueResult.ACCEPTED, queue.enqueue(event, LIMIT));
                }
            }
        };
    }

    @Test
    void noEventIsLostOrRepeatedByAnyNumberOfChanges() throws Exception {
        Sink sink = new Sink();
        Stage<Integer> work = graph.add("work", Integer.class, sink, new StageOptions<Integer>().capacity(8));
        Stage<Integer> source = add("source", passingTo("work"));
        graph.start();
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        List<OtherThread<Void>> producers = new ArrayList<>();
        for (EventQueue<Integer> queue : List.of(source.queue(), work.queue())) {
            producers.add(OtherThread.start(() -> {
                while (!ended.get()) {
                    assertEquals(EnqueueResult.ACCEPTED, queue.enqueue(sent.getAndIncrement(), LIMIT));
                }
                return null;
            }));
        }
        Random random = new Random(1);
        for (int i = 0; i < CHANGES; i++) {
            switch (random.nextInt(3)) {
                case 0 -> work = graph.replace(work, sink, new StageOptions<Integer>().capacity(8), LIMIT);
                case 1 -> {
                    Stage<Integer> passing = add("passing", passingTo("work"));
                    for (int j = 0; j < 5; j++) {
                        assertEquals(EnqueueResult.ACCEPTED, passing.queue().enqueue(sent.getAndIncrement()));
                    }
                    assertEverythingHandled(graph.remove(passing, LIMIT));
                }
                default -> {
                    // The edges move away before it is removed, and another one takes its name.
                    Stage<Integer> next = add("next", sink);
                    graph.moveEdge(null, work, next);
                    graph.moveEdge(source, work, next);
                    assertEverythingHandled(graph.remove(work, LIMIT));
                    work = graph.add("work", Integer.class, sink, new StageOptions<Integer>().capacity(8));
                    graph.moveEdge(null, next, work);
                    graph.moveEdge(source, next, work);
                    assertEverythingHandled(graph.remove(next, LIMIT));
                }
            }
        }
        ended.set(true);
        for (OtherThread<Void> producer : producers) {
            producer.result();
        }
        assertTrue(graph.stop(LIMIT).isDrained());
        assertEquals(sent.get(), sink.handled.get());
        assertEquals(sent.get(), sink.seen.size());
        assertEquals(List.of(source, work), graph.stages());
    }

    private static void assertEverythingHandled(StopReport report) {
        assertTrue(report.isDrained(), report::toString);
        report.stages().forEach(stage -> assertEquals(stage.accepted(), stage.handled(), stage::toString));
    }

    // The wrong moment

    @Test
    void ofTwoThreadsThatRemoveAStageOneSucceeds() throws Exception {
        Stage<Integer> stage = add("stage", gate);
        graph.start();
        gate.occupy(stage);
        List<OtherThread<StopReport>> removals = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            removals.add(OtherThread.start(() -> graph.remove(stage, LIMIT)));
        }
        OtherThread<Stage<Integer>> replacement = OtherThread.start(
                () -> graph.replace(stage, new Gate(), new StageOptions<>(), LIMIT));
        OtherThread.await(() -> stage.removal != null);
        gate.open();
        int succeeded = 0;
        List<OtherThread<?>> all = new ArrayList<>(removals);
        all.add(replacement);
        for (OtherThread<?> each : all) {
            try {
                each.result();
                succeeded++;
            } catch (IllegalStateException e) {
                assertEquals("stage has already been removed from graph of a test", e.getMessage());
            }
        }
        assertEquals(1, succeeded);
        assertEquals(1, stage.handled());
    }

    @Test
    void stopWaitsForAReplacement() throws Exception {
        Sink sink = new Sink();
        Stage<Integer> old = add("stage", gate);
        graph.start();
        gate.occupy(old);
        OtherThread<Stage<Integer>> replacement = OtherThread.start(
                () -> graph.replace(old, sink, new StageOptions<>(), LIMIT));
        OtherThread.await(() -> old.outside.target() != old);
        OtherThread<StopReport> stopping = OtherThread.start(() -> graph.stop(LIMIT));
        OtherThread.awaitWaiting(stopping.thread());
        assertEquals(EnqueueResult.ACCEPTED, old.queue().enqueue(1));
        gate.open();
        Stage<Integer> stage = replacement.result();
        assertTrue(stopping.result().isDrained());
        assertEquals(1, old.handled());
        assertEquals(1, stage.handled());
        assertEquals(EnqueueResult.CLOSED, old.queue().enqueue(2));
        assertThrows(IllegalStateException.class, () -> graph.remove(stage, LIMIT));
    }

    @Test
    void edgeOfARemovedStageStaysClosed() {
        Stage<Integer> one = add("one", new Sink());
        Stage<Integer> two = add("two", new Sink());
        Stage<Integer> source = add("source", passingTo("one"));
        graph.start();
        assertTrue(graph.remove(one, LIMIT).isDrained());
        assertThrows(IllegalStateException.class, () -> graph.moveEdge(source, one, two));
        assertThrows(IllegalStateException.class, () -> graph.moveEdge(null, one, two));
        assertEquals(EnqueueResult.CLOSED, one.queue().enqueue(1));
        assertTrue(graph.remove(source, LIMIT).isDrained());
        assertThrows(IllegalStateException.class, () -> graph.moveEdge(source, two, two));
    }

    // The wrong thread

    /** It waits for itself until the deadline, and then nothing else has suffered. */
    @Test
    void handlerMayFailToRemoveItsOwnStage() {
        AtomicReference<StopReport> report = new AtomicReference<>();
        List<Integer> discarded = new CopyOnWriteArrayList<>();
        AtomicInteger stops = new AtomicInteger();
        Stage<Integer> stage = graph.add("stage", Integer.class, new StageHandler<>() {

            private Stage<?> own;

            @Override
            public void handleStart(StageContext context) {
                own = context.stage();
            }

            @Override
            public void handleEvents(EventBatch<Integer> batch) {
                batch.next();
                report.set(graph.remove(own, SHORT));
            }

            @Override
            public void handleDiscarded(Integer event) {
                discarded.add(event);
            }

            @Override
            public void handleStop() {
                stops.incrementAndGet();
            }
        }, new StageOptions<Integer>().batch(1));
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueueAll(List.of(1, 2, 3)));
        graph.start();
        OtherThread.await(() -> stage.handled() == 1);
        assertFalse(report.get().isDrained());
        assertEquals(new StageAccount("stage", 3, 0, 0, 2, 0, 0), report.get().stages().get(0));
        assertEquals(List.of(2, 3), discarded);
        assertEquals(2, stage.discarded());
        assertEquals(1, stops.get());
        Sink sink = new Sink();
        assertEquals(EnqueueResult.ACCEPTED, add("stage", sink).queue().enqueue(4));
        OtherThread.await(() -> sink.handled.get() == 1);
        assertTrue(graph.stop(LIMIT).isDrained());
    }

    @Test
    void handlerThatIsStartedOrStoppedCannotChangeTheGraph() {
        AtomicInteger stops = new AtomicInteger();
        List<Throwable> caught = new CopyOnWriteArrayList<>();
        add("stage", new StageHandler<>() {

            @Override
            public void handleStart(StageContext context) {
                caught.add(assertThrows(IllegalStateException.class, () -> add("another", new Sink())));
                caught.add(assertThrows(IllegalStateException.class, () -> graph.stop(LIMIT)));
            }

            @Override
            public void handleEvents(EventBatch<Integer> batch) {
                batch.next();
            }

            @Override
            public void handleStop() {
                stops.incrementAndGet();
                caught.add(assertThrows(IllegalStateException.class, graph::close));
            }
        });
        graph.start();
        assertTrue(graph.stop(LIMIT).isDrained());
        assertEquals(1, stops.get());
        assertEquals(List.of("cannot add another: a handler that graph of a test starts or stops must not change it",
                "cannot stop graph of a test: a handler that graph of a test starts or stops must not change it",
                "cannot stop graph of a test: a handler that graph of a test starts or stops must not change it"),
                caught.stream().map(Throwable::getMessage).toList());
        assertEquals(1, graph.stages().size());
    }

    // Hooks that fail

    /** The hooks of an execution of a program; each of them may throw. */
    private static final class Failing extends Execution {

        private final Set<String> failing;
        private final AtomicInteger looks = new AtomicInteger();

        Failing(Stage<?> stage, Set<String> failing) {
            super(stage);
            this.failing = failing;
        }

        private void call(String hook) {
            if (failing.contains(hook)) {
                throw new AssertionError("thrown by the test in " + hook);
            }
        }

        @Override
        protected void start() {
            call("start");
        }

        @Override
        public void run() {
            runBatch(1);
            call("run");
        }

        @Override
        protected void taken() {
            call("taken");
        }

        @Override
        protected void runAgain() {
            looks.incrementAndGet();
            call("runAgain");
        }

        @Override
        protected void end() {
            call("end");
        }

        @Override
        protected void interrupt() {
            call("interrupt");
        }

        @Override
        protected boolean awaitEnd(long deadline) {
            call("awaitEnd");
            return true;
        }

        @Override
        protected String description() {
            return "by the test";
        }
    }

    private Stage<Integer> addFailing(String name, StageHandler<Integer> handler, String... hooks) {
        return graph.add(name, Integer.class, handler,
                new StageOptions<Integer>().threads(stage -> new Failing(stage, Set.of(hooks))));
    }

    @Test
    void executionThatFailsAtItsEndKeepsNoOtherStageFromEnding() {
        AtomicInteger stops = new AtomicInteger();
        StageHandler<Integer> counting = new StageHandler<>() {

            @Override
            public void handleEvents(EventBatch<Integer> batch) {
                batch.next();
            }

            @Override
            public void handleStop() {
                stops.incrementAndGet();
            }
        };
        Stage<Integer> removed = addFailing("removed", counting, "end", "awaitEnd");
        Stage<Integer> first = addFailing("first", counting, "end", "interrupt", "awaitEnd");
        Stage<Integer> last = add("last", counting);
        graph.start();
        assertTrue(graph.remove(removed, LIMIT).isDrained());
        assertEquals(1, stops.get());
        assertEquals(List.of(first, last), graph.stages());
        first.queue().workStarted();
        StopReport report = graph.stop(SHORT);
        assertEquals(List.of("first", "last"), report.stages().stream().map(StageAccount::stage).toList());
        assertEquals(3, stops.get());
        assertEquals(0, last.threads());
    }

    @Test
    void executionThatFailsHandlesEventsAndDelaysNoController() {
        AtomicInteger samples = new AtomicInteger();
        Stage<Integer> stage = addFailing("failing", EventBatch::next, "run", "taken", "runAgain");
        graph.add("other", Integer.class, EventBatch::next, new StageOptions<Integer>().control(sample -> {
            samples.incrementAndGet();
            return Decision.NOTHING;
        }));
        AtomicInteger decisions = new AtomicInteger();
        controller.set(sample -> {
            decisions.incrementAndGet();
            // What it decides for one stage is wrong, and right for the other.
            return Map.of("failing", List.of(new Decision.Rate(-1)), "other", List.of(new Decision.Threshold(7)));
        });
        graph.start();
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(1));
        assertEquals(1, stage.handled());
        AtomicInteger repeated = ((Failing) stage.execution).looks;
        OtherThread.await(() -> samples.get() > 2 && decisions.get() > 2 && repeated.get() > 2);
        Stage<?> other = graph.find("other");
        OtherThread.await(() -> other.threshold() == 7);
    }

    @Test
    void stageWhoseExecutionFailsIsNotAdded() {
        graph.start();
        IllegalStateException thrown = assertThrows(IllegalStateException.class,
                () -> addFailing("stage", EventBatch::next, "start", "end"));
        assertEquals("stage of graph of a test cannot start", thrown.getMessage());
        AssertionError cause = new AssertionError("thrown by the test");
        StageOptions<Integer> failing = new StageOptions<Integer>().threads(stage -> {
            throw cause;
        });
        assertSame(cause, assertThrows(AssertionError.class,
                () -> graph.add("stage", Integer.class, EventBatch::next, failing)));
        Stage<Integer> other = addFailing("other", EventBatch::next);
        assertEquals("the thread manager returned an execution of other for stage: each stage needs a new one",
                assertThrows(IllegalArgumentException.class, () -> graph.add("stage", Integer.class, EventBatch::next,
                        new StageOptions<Integer>().threads(stage -> other.execution))).getMessage());
        Stage<Integer> stage = add("stage", EventBatch::next);
        assertThrows(IllegalStateException.class, () -> graph.replace(stage, EventBatch::next,
                new StageOptions<Integer>().threads(next -> new Failing(next, Set.of("start"))), LIMIT));
        assertEquals(List.of(other, stage), graph.stages());
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(1));
        OtherThread.await(() -> stage.handled() == 1);
    }

    @Test
    void failedStartNamesItsStage() {
        add("one", EventBatch::next);
        addFailing("two", EventBatch::next, "start");
        add("three", EventBatch::next);
        assertEquals("two of graph of a test cannot start",
                assertThrows(IllegalStateException.class, graph::start).getMessage());
    }

    /** As a handler, it is interrupted at the deadline, and then no longer waited for. */
    @Test
    void controllerThatDoesNotReturnDoesNotPreventTheStop() {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        controller.set(sample -> {
            inside.countDown();
            while (open.getCount() > 0) {
                try {
                    open.await();
                } catch (InterruptedException e) {
                    interrupted.set(true);
                }
            }
            return Map.of();
        });
        add("stage", EventBatch::next);
        graph.start();
        OtherThread.await(inside);
        try {
            assertTrue(graph.stop(SHORT).isDrained());
            OtherThread.await(interrupted::get);
        } finally {
            open.countDown();
        }
    }

    @Test
    void controllerThatThrowsErrorsIsCalledAgain() {
        AtomicInteger calls = new AtomicInteger();
        controller.set(sample -> switch (calls.incrementAndGet()) {
            case 1 -> throw new StackOverflowError("thrown by the test");
            case 2 -> throw new OutOfMemoryError("thrown by the test");
            case 3 -> null;
            case 4 -> {
                Map<String, List<Decision>> decisions = new HashMap<>();
                decisions.put("stage", null);
                yield decisions;
            }
            default -> Map.of("stage", List.of(new Decision.Threshold(3)));
        });
        Stage<Integer> stage = add("stage", EventBatch::next);
        graph.start();
        OtherThread.await(() -> stage.threshold() == 3);
    }

    /** Stages without threads of their own have none to add or remove. */
    @Test
    void millionThreadsAreNotMadeForStagesWithoutTheirOwn() throws Exception {
        try (StagePool pool = new StagePool("pool of a test", 1);
             ProcessorThreads processors = new ProcessorThreads("processors of a test", 1)) {
            List<Stage<Integer>> stages = List.of(
                    graph.add("pooled", Integer.class, EventBatch::next, new StageOptions<Integer>().pool(pool)),
                    graph.add("placed", Integer.class, EventBatch::next,
                            new StageOptions<Integer>().threads(processors)),
                    graph.add("direct", Integer.class, EventBatch::next, new StageOptions<Integer>().direct()),
                    graph.add("tasks", Integer.class, EventBatch::next,
                            new StageOptions<Integer>().executor(Runnable::run, 2)));
            AtomicReference<GraphSample> seen = new AtomicReference<>();
            AtomicInteger calls = new AtomicInteger();
            controller.set(sample -> {
                seen.set(sample);
                Decision.Threads many = new Decision.Threads(calls.incrementAndGet() % 2 == 0 ? 1_000_000 : -1_000_000);
                return Map.of("pooled", List.of(many), "placed", List.of(many), "direct", List.of(many), "tasks",
                        List.of(many));
            });
            graph.start();
            OtherThread.await(() -> calls.get() > 3);
            for (Stage<Integer> stage : stages) {
                assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(1));
                OtherThread.await(() -> stage.handled() == 1);
                assertEquals(0, seen.get().stages().get(stage.name()).threads(), stage.name());
            }
            assertEquals(1, pool.threads());
            assertTrue(graph.stop(LIMIT).isDrained());
        }
    }

    @Test
    void closedProcessorThreadsTakeNoStage() {
        ProcessorThreads threads = new ProcessorThreads("processors of a test", 1);
        threads.close();
        graph.start();
        IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> graph.add("stage", Integer.class,
                EventBatch::next, new StageOptions<Integer>().threads(threads)));
        assertEquals("processors of a test is closed", thrown.getCause().getMessage());
        assertEquals(List.of(), graph.stages());
    }

    // Numbers

    /** A stage that cannot get another thread does not keep the others from getting one. */
    @Test
    void fullStageIsPassedBy() {
        GlobalController global = new GlobalController(4, Duration.ofSeconds(10));
        GraphSample sample = new GraphSample(Samples.SECOND, 1, 100, Map.of("exclusive", waiting(900), "other",
                waiting(90)), List.of());
        assertEquals(Map.of("exclusive", List.of(new Decision.Threads(2))), global.decide(sample));
        assertEquals(Map.of("other", List.of(new Decision.Threads(2))), global.decide(sample));
    }

    private static StageSample waiting(long oldestMillis) {
        return new StageSample(Samples.SECOND, 9, oldestMillis * Samples.MILLI, Long.MAX_VALUE, 1, 0, 100, 0, 0,
                new long[0]);
    }
}
