package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which threads run stages: those that a program chooses, one for each processor, and what controllers ask for. */
class StageThreadsTest {

    private static final Duration LIMIT = EventLoopContract.LIMIT;

    private final AtomicReference<GraphController> controller = new AtomicReference<>(sample -> Map.of());
    private final StageGraph graph = new StageGraph("graph of a test", sample -> controller.get().decide(sample));

    @AfterEach
    void stop() {
        graph.stop(LIMIT);
    }

    /** Runs batches in the thread of the test. */
    @Test
    void aProgramChoosesTheThreads() throws InterruptedException {
        BlockingQueue<Execution> ready = new ArrayBlockingQueue<>(10);
        List<Thread> inside = new ArrayList<>();
        StageThreads mine = stage -> new Execution(stage) {
            @Override
            public void run() {
                ready.add(this);
            }

            @Override
            protected void start() {
                run();
            }

            @Override
            protected void setThreads(int count) {
                assertTrue(hasEvent());
                assertFalse(isExclusive());
                assertEquals(1, runBatch(count));
            }

            @Override
            protected String description() {
                return "by the test";
            }
        };
        Stage<Integer> stage = graph.add("stage", Integer.class, batch -> {
            inside.add(Thread.currentThread());
            batch.next();
        }, new StageOptions<Integer>().threads(mine));
        graph.start();
        assertEquals("by the test", stage.runner());
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(1));
        ready.take().setThreads(1);
        assertEquals(List.of(Thread.currentThread()), inside);
    }

    @Test
    void aBusyStageMovesToAnIdleThread() {
        AtomicReference<Thread> ofFirst = new AtomicReference<>();
        AtomicReference<Thread> ofThird = new AtomicReference<>();
        try (ProcessorThreads threads = new ProcessorThreads("processors of a test", 2)) {
            Stage<Integer> first = graph.add("first", Integer.class, noting(ofFirst), on(threads));
            Stage<Integer> second = graph.add("second", Integer.class, noting(new AtomicReference<>()), on(threads));
            Stage<Integer> third = graph.add("third", Integer.class, noting(ofThird), on(threads));
            graph.start();
            // Both are busy at the first thread, and the second one has nothing to do.
            OtherThread.await(() -> {
                first.queue().enqueue(1);
                third.queue().enqueue(1);
                return ofFirst.get() != null && ofThird.get() != null && ofFirst.get() != ofThird.get();
            });
            assertNotSame(ofFirst.get(), ofThird.get());
            assertEquals(0, second.handled());
            assertTrue(graph.stop(LIMIT).isDrained());
        }
    }

    private static StageOptions<Integer> on(StageThreads threads) {
        return new StageOptions<Integer>().threads(threads).batch(1);
    }

    private static StageHandler<Integer> noting(AtomicReference<Thread> thread) {
        return batch -> {
            batch.next();
            long end = System.nanoTime() + 1_000_000;
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            thread.set(Thread.currentThread());
        };
    }

    /** Whether it has kept the task, or has called it already, no further task is counted or missing afterwards. */
    @Test
    void anExecutorMayFailAfterItHasAcceptedATask() throws InterruptedException {
        BlockingQueue<Runnable> kept = new ArrayBlockingQueue<>(10);
        Stage<Integer> keeping = graph.add("keeping", Integer.class, EventBatch::next,
                new StageOptions<Integer>().executor(command -> {
                    kept.add(command);
                    if (kept.size() == 1) {
                        throw new OutOfMemoryError("thrown by the test");
                    }
                }, 1));
        Stage<Integer> calling = graph.add("calling", Integer.class, EventBatch::next,
                new StageOptions<Integer>().executor(command -> {
                    command.run();
                    throw new OutOfMemoryError("thrown by the test");
                }, 1));
        graph.start();
        assertEquals(EnqueueResult.ACCEPTED, calling.queue().enqueue(1));
        assertEquals(1, calling.handled());
        assertEquals(0, calling.threads());
        assertEquals(EnqueueResult.ACCEPTED, keeping.queue().enqueue(1));
        // The thread of the controllers submits another one.
        OtherThread.await(() -> kept.size() == 2);
        kept.take().run();
        kept.take().run();
        assertEquals(1, keeping.handled());
        assertEquals(0, keeping.threads());
    }

    /** One clear line, and no more threads than the stage may have. */
    @Test
    void aMillionThreadsAreNotMade() {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            AtomicInteger looks = new AtomicInteger();
            Stage<Integer> stage = graph.add("greedy", Integer.class, EventBatch::next,
                    new StageOptions<Integer>().ownThreads(1, 3).control(sample -> {
                        looks.incrementAndGet();
                        return new Decision.Threads(1_000_000);
                    }));
            graph.start();
            OtherThread.await(() -> looks.get() > 3 && stage.threads() == 3);
        } finally {
            System.setErr(before);
        }
        String text = log.toString(StandardCharsets.UTF_8);
        String line = "a controller asks for 1000000 threads of greedy, which has at most 3";
        assertEquals(text.indexOf(line), text.lastIndexOf(line), text);
        assertTrue(text.contains(line), text);
    }

    @Test
    void theGraphsControllerSeesAllStagesAndDecidesForEach() {
        AtomicReference<GraphSample> seen = new AtomicReference<>();
        controller.set(sample -> {
            seen.set(sample);
            return Map.of("one", List.of(new Decision.Threads(2), new Decision.Threshold(5)),
                    "nowhere", List.of(new Decision.Threads(2)), "two", List.of(new Decision.Rate(1)));
        });
        Stage<Integer> one = graph.add("one", Integer.class, EventBatch::next);
        graph.start();
        OtherThread.await(() -> one.threads() == 2 && one.threshold() == 5);
        graph.add("two", Integer.class, EventBatch::next);
        OtherThread.await(() -> seen.get().stages().keySet().equals(Set.of("one", "two")));
        assertTrue(seen.get().maxMemory() >= seen.get().usedMemory());
        assertSame(2, seen.get().edges().size());
    }

    /** Threads and thresholds by rows of numbers. */
    @Test
    void threadsGoWhereEventsWaitAndEventsAreRefusedWhereTheyEnter() {
        GlobalController global = new GlobalController(4, Duration.ofSeconds(1));
        List<EdgeAccount> edges = List.of(new EdgeAccount(null, "in", 1, 0), new EdgeAccount(null, "out", 0, 0),
                new EdgeAccount("in", "out", 1, 0));
        StageSample idle = sample(0, 0, 1, 100);
        // The second waits longest, and gets a thread.
        assertEquals(Map.of("out", List.of(new Decision.Threads(2))),
                global.decide(graph(edges, Map.of("in", idle, "out", sample(9, 300, 1, 100)))));
        // It has brought nothing.
        assertEquals(Map.of("out", List.of(new Decision.Threads(1))),
                global.decide(graph(edges, Map.of("in", idle, "out", sample(9, 300, 2, 100)))));
        assertEquals(Map.of(), global.decide(graph(edges, Map.of("in", idle, "out", sample(9, 300, 1, 100)))));
        // In overload it is the first that refuses, before it has done anything.
        assertEquals(Map.of("in", List.of(new Decision.Threshold(20))),
                global.decide(graph(edges, Map.of("in", sample(40, 10, 1, 100), "out", sample(99, 1500, 1, 100)))));
        assertEquals(Map.of("in", List.of(new Decision.Threshold(24))),
                global.decide(graph(edges, Map.of("in", sample(40, 10, 1, 100), "out", sample(1, 10, 1, 100)))));
    }

    /** Above nine tenths of the heap, however short the waits are; below seven tenths, thresholds rise again. */
    @Test
    void eventsAreRejectedWhereTheyEnterWhileMemoryIsShort() {
        GlobalController global = new GlobalController(4, Duration.ofSeconds(1));
        double unlimited = ((TokenBucket<?>) global.admission()).rate();
        List<EdgeAccount> edges = List.of(new EdgeAccount(null, "in", 1, 0), new EdgeAccount(null, "out", 0, 0),
                new EdgeAccount("in", "out", 1, 0));
        Map<String, StageSample> stages = Map.of("in", sample(40, 10, 1, 100), "out", sample(9, 0, 1, 100));
        assertEquals(Map.of(), global.decide(graph(90, edges, stages)));
        assertEquals(Map.of("in", List.of(new Decision.Threshold(20))), global.decide(graph(95, edges, stages)));
        assertEquals(Map.of("in", List.of(new Decision.Threshold(10))), global.decide(graph(95, edges, stages)));
        // Where no event waits, a lower threshold would help nothing.
        assertEquals(Map.of(), global.decide(graph(95, edges,
                Map.of("in", sample(0, 0, 1, 100), "out", sample(9, 0, 1, 100)))));
        assertEquals(Map.of(), global.decide(graph(80, edges, stages)));
        assertEquals(Map.of("in", List.of(new Decision.Threshold(13))), global.decide(graph(60, edges, stages)));
        assertEquals(unlimited, ((TokenBucket<?>) global.admission()).rate(), 0);
    }

    /** A fast stage passes on no more than the slow one behind it handles, less while a backlog has to go. */
    @Test
    void globalAdmissionFollowsTheSlowestStage() {
        GlobalController global = new GlobalController(2, Duration.ofSeconds(1));
        TokenBucket<?> admission = (TokenBucket<?>) global.admission();
        double unlimited = admission.rate();
        StageSample fast = sample(0, 0, 1, 1000);
        global.decide(graph(List.of(), Map.of("in", fast, "out", sample(9, 900, 1, 400))));
        assertEquals(unlimited, admission.rate(), 0);
        global.decide(graph(List.of(), Map.of("in", fast, "out", sample(99, 1500, 1, 400))));
        assertEquals(320, admission.rate(), 1);
        global.decide(graph(List.of(), Map.of("in", fast, "out", sample(99, 2500, 1, 400))));
        assertEquals(200, admission.rate(), 1);
        // It does not fall any further while the stage handles as many.
        global.decide(graph(List.of(), Map.of("in", fast, "out", sample(99, 1400, 1, 400))));
        assertEquals(200, admission.rate(), 1);
        global.decide(graph(List.of(), Map.of("in", fast, "out", sample(9, 600, 1, 400))));
        assertEquals(210, admission.rate(), 1);
        for (int i = 0; i < 50; i++) {
            global.decide(graph(List.of(), Map.of("in", sample(0, 0, 1, 400), "out", sample(0, 0, 1, 400))));
        }
        assertEquals(unlimited, admission.rate(), 0);
    }

    /** Of 1000 events that enter 50 come to the slow stage, which handles 40: so 800 may enter. */
    @Test
    void globalAdmissionCountsEventsThatEnter() {
        GlobalController global = new GlobalController(2, Duration.ofSeconds(1));
        TokenBucket<?> admission = (TokenBucket<?>) global.admission();
        Map<String, StageSample> stages = Map.of("in", sample(0, 0, 1, 1000), "out", sample(99, 1500, 1, 40));
        global.decide(graph(List.of(new EdgeAccount(null, "in", 1000, 7), new EdgeAccount("in", "out", 45, 5)),
                stages));
        assertEquals(640, admission.rate(), 1);
        // What has come before does not count again.
        global.decide(graph(List.of(new EdgeAccount(null, "in", 1500, 9), new EdgeAccount("in", "out", 70, 5)),
                stages));
        assertEquals(640, admission.rate(), 1);
        // Now a tenth of them comes there, 10 of 100, but of the earlier ones a twentieth: 73 of 1360 by their weights.
        global.decide(graph(List.of(new EdgeAccount(null, "in", 1600, 9), new EdgeAccount("in", "out", 80, 5)),
                stages));
        assertEquals(596, admission.rate(), 1);
        // In this period none comes there.
        global.decide(graph(List.of(new EdgeAccount(null, "in", 1700, 9), new EdgeAccount("in", "out", 80, 5)),
                stages));
        assertEquals(596, admission.rate(), 1);
    }

    /** Stages may be added later. */
    @Test
    void globalControllerDecidesNothingForAGraphWithoutStages() {
        GlobalController global = new GlobalController(2, Duration.ofSeconds(1));
        assertEquals(Map.of(), global.decide(graph(List.of(), Map.of())));
    }

    /** All threads are in use: one goes over from where it is needed less. */
    @Test
    void aThreadGoesOverToTheStageThatWaitsLonger() {
        GlobalController global = new GlobalController(4, Duration.ofSeconds(1));
        assertEquals(Map.of("a", List.of(new Decision.Threads(2)), "b", List.of(new Decision.Threads(2))),
                global.decide(graph(List.of(), Map.of("a", sample(1, 10, 3, 5), "b", sample(1, 90, 1, 5)))));
        assertEquals(Map.of("a", List.of(new Decision.Threads(4))),
                global.decide(graph(List.of(), Map.of("a", sample(1, 10, 5, 5), "b", sample(1, 90, 1, 5)))));
    }

    private static GraphSample graph(List<EdgeAccount> edges, Map<String, StageSample> stages) {
        return graph(1, edges, stages);
    }

    /** {@return a sample of stages that use the given percentage of the heap} */
    private static GraphSample graph(long usedMemory, List<EdgeAccount> edges, Map<String, StageSample> stages) {
        return new GraphSample(Samples.SECOND, usedMemory, 100, stages, edges);
    }

    private static StageSample sample(int length, long oldestMillis, int threads, long handled) {
        return new StageSample(Samples.SECOND, length, oldestMillis * Samples.MILLI, Long.MAX_VALUE, threads, 0,
                handled, 0, 0, new long[0]);
    }

    @Test
    void tasksOfAnExecutorAreAsManyAsEventsNeed() {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        ExecutorService executor = Executors.newCachedThreadPool();
        try {
            Stage<Integer> stage = graph.add("stage", Integer.class, batch -> {
                inside.incrementAndGet();
                OtherThread.await(open);
                batch.next();
            }, new StageOptions<Integer>().executor(executor, 5).batch(1));
            graph.start();
            stage.queue().enqueueAll(List.of(1, 2, 3));
            OtherThread.await(() -> inside.get() == 3);
            assertEquals(3, stage.threads());
            stage.queue().enqueueAll(List.of(4, 5, 6, 7));
            OtherThread.await(() -> inside.get() == 5);
            assertEquals(5, stage.threads());
            open.countDown();
            OtherThread.await(() -> stage.handled() == 7 && stage.threads() == 0);
        } finally {
            executor.shutdown();
        }
    }

    /** An executor of virtual threads whose carriers compute lets a task wait until one of them is free. */
    @Test
    void tasksThatHaveNotBegunAreAsManyAsEventsNeed() {
        BlockingQueue<Runnable> submitted = new ArrayBlockingQueue<>(10);
        Stage<Integer> single = graph.add("single", Integer.class, EventBatch::next,
                new StageOptions<Integer>().executor(submitted::add, 3).batch(1));
        graph.start();
        single.queue().enqueueAll(List.of(1, 2));
        assertEquals(2, submitted.size());
        single.queue().enqueueAll(List.of(3, 4, 5));
        assertEquals(3, submitted.size());
        runAll(submitted);
        assertEquals(5, single.handled());
        assertEquals(0, single.threads());
    }

    /** A task takes no more events than its share, so that others can take the rest while it blocks. */
    @Test
    void tasksThatHaveNotBegunAreCountedByTheirShares() {
        BlockingQueue<Runnable> submitted = new ArrayBlockingQueue<>(10);
        Stage<Integer> stage = graph.add("stage", Integer.class, batch -> {
            while (batch.next() != null) {
                // Takes all.
            }
        }, new StageOptions<Integer>().executor(submitted::add, 3));
        graph.start();
        stage.queue().enqueueAll(List.of(1, 2, 3));
        assertEquals(3, submitted.size());
        runAll(submitted);
        // Each of two tasks takes two events.
        stage.queue().enqueueAll(List.of(4, 5, 6, 7));
        assertEquals(2, submitted.size());
        stage.queue().enqueueAll(List.of(8));
        assertEquals(3, submitted.size());
        runAll(submitted);
        assertEquals(8, stage.handled());
        assertEquals(0, stage.threads());
    }

    /** Otherwise each event of a file stage would get a task for each request that is being performed. */
    @Test
    void reservedPlacesNeedNoTasks() {
        BlockingQueue<Runnable> submitted = new ArrayBlockingQueue<>(10);
        Stage<Integer> stage = graph.add("stage", Integer.class, EventBatch::next,
                new StageOptions<Integer>().executor(submitted::add, 3).batch(1));
        graph.start();
        try (Reservation<Integer> place = stage.queue().prepare(2)) {
            stage.queue().enqueueAll(List.of(1));
            assertEquals(1, submitted.size());
            place.commit();
        }
        assertEquals(2, submitted.size());
        runAll(submitted);
        assertEquals(2, stage.handled());
        assertEquals(0, stage.threads());
    }

    /** A task whose thread adds events before it handles its own, and then runs another task for them, still counts. */
    @Test
    void taskInsideAnotherLeavesNoEventWithoutATask() {
        BlockingQueue<Runnable> submitted = new ArrayBlockingQueue<>(10);
        AtomicBoolean isDirect = new AtomicBoolean();
        Stage<Integer> stage = graph.add("stage", Integer.class, EventBatch::next,
                new StageOptions<Integer>().executor(task -> {
                    if (isDirect.get()) {
                        task.run();
                    } else {
                        submitted.add(task);
                    }
                }, 3).batch(1).capacity(3));
        graph.start();
        stage.queue().enqueueAll(List.of(1, 2));
        assertEquals(2, submitted.size());
        assertTrue(stage.queue().notifyWhenHalfEmpty(new SpaceListener() {
            @Override
            protected void spaceAvailable() {
                isDirect.set(true);
                stage.queue().enqueueAll(List.of(3, 4));
            }
        }));
        runAll(submitted);
        assertEquals(4, stage.handled());
        assertEquals(0, stage.threads());
    }

    /** On virtual threads another task would begin only when all others have computed. */
    @Test
    void aTaskOnAVirtualThreadContinuesIfAllHaveBegun() throws InterruptedException {
        assumeTrue(StageKind.available().contains(StageKind.OWN_VIRTUAL_THREADS), "this Java has no virtual threads");
        assertContinues(StageKind.virtualThreads(), 1);
    }

    /** Other stages may have tasks that wait for the thread. */
    @Test
    void aTaskOnAnotherThreadEndsAfterABatch() throws InterruptedException {
        assertContinues(Thread::new, 0);
    }

    private void assertContinues(ThreadFactory threads, int batches) throws InterruptedException {
        BlockingQueue<Runnable> submitted = new ArrayBlockingQueue<>(10);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        Stage<Integer> stage = graph.add("stage", Integer.class, batch -> {
            if (batch.next() == 1) {
                inside.countDown();
                OtherThread.await(open);
            }
        }, new StageOptions<Integer>().executor(submitted::add, 2).batch(1));
        graph.start();
        stage.queue().enqueueAll(List.of(1, 2, 3));
        Thread blocked = threads.newThread(submitted.take());
        blocked.start();
        OtherThread.await(inside);
        Thread other = threads.newThread(submitted.take());
        other.start();
        other.join();
        assertEquals(1 + batches, stage.handled());
        assertEquals(1 - batches, submitted.size());
        open.countDown();
        blocked.join();
        runAll(submitted);
        assertEquals(3, stage.handled());
        assertEquals(0, stage.threads());
    }

    private static void runAll(BlockingQueue<Runnable> submitted) {
        for (Runnable task = submitted.poll(); task != null; task = submitted.poll()) {
            task.run();
        }
    }
}
