package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What controllers decide, stages do. */
class ControlledStageTest {

    private static final Duration LIMIT = EventLoopContract.LIMIT;

    private final StageGraph graph = new StageGraph("graph of a test");
    private final AtomicReference<Decision> wanted = new AtomicReference<>(Decision.NOTHING);
    private final AtomicReference<StageSample> seen = new AtomicReference<>();
    private final Gate gate = new Gate();

    @AfterEach
    void stop() {
        gate.open();
        graph.stop(LIMIT);
    }

    private Decision decide(StageSample sample) {
        seen.set(sample);
        return wanted.get();
    }

    private StageOptions<Integer> options() {
        return new StageOptions<Integer>().control(this::decide);
    }

    @Test
    void threadsComeAndGo() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        Stage<Integer> stage = graph.add("stage", Integer.class, batch -> {
            while (batch.next() != null) {
                handled.incrementAndGet();
            }
        }, options().ownThreads(2, 4));
        graph.start();
        assertEquals(2, stage.threads());
        for (int count : new int[] {4, 1, 3, 1}) {
            wanted.set(new Decision.Threads(count));
            while (stage.threads() != count) {
                // A thread that leaves must forward its wake-up.
                int before = handled.get();
                assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(1));
                OtherThread.await(() -> handled.get() == before + 1);
            }
        }
        wanted.set(new Decision.Threads(100));
        OtherThread.await(() -> stage.threads() == 4);
        wanted.set(new Decision.Threads(-1));
        OtherThread.await(() -> stage.threads() == 1);
    }

    @Test
    void aThreadThatIsBusyLeavesAfterItsBatch() throws Exception {
        CountDownLatch inside = new CountDownLatch(2);
        CountDownLatch open = new CountDownLatch(1);
        Stage<Integer> stage = graph.add("stage", Integer.class, batch -> {
            batch.next();
            inside.countDown();
            OtherThread.await(open);
        }, options().ownThreads(2, 2).batch(1));
        stage.queue().enqueueAll(List.of(1, 2, 3, 4, 5));
        graph.start();
        OtherThread.await(inside);
        wanted.set(new Decision.Threads(1));
        OtherThread.await(() -> seen.get() != null && seen.get().threads() == 1);
        // A thread that is about to leave is not counted, so that no other one is taken back instead.
        seen.set(null);
        OtherThread.await(() -> seen.get() != null);
        assertEquals(3, seen.get().queueLength());
        assertEquals(1, stage.threads());
        open.countDown();
        graph.drain(LIMIT);
        assertEquals(5, stage.handled());
    }

    @Test
    void aFactoryThatFailsIsAskedAgain() throws Exception {
        AtomicInteger made = new AtomicInteger();
        Stage<Integer> stage = graph.add("stage", Integer.class, batch -> batch.next(),
                options().ownThreads(1, 3, task -> switch (made.incrementAndGet()) {
                    case 2 -> null;
                    case 3 -> throw new OutOfMemoryError("in a test");
                    default -> new Thread(task);
                }));
        graph.start();
        wanted.set(new Decision.Threads(3));
        OtherThread.await(() -> stage.threads() == 3);
        assertEquals(5, made.get());
    }

    /** What its threads bring is made up, so that it is the stage's limit alone that keeps it from growing. */
    @Test
    void aPoolAtTheStagesLimitKeepsWhatBringsSomething() {
        ThreadPoolController pool = new ThreadPoolController();
        List<Integer> threads = new CopyOnWriteArrayList<>();
        StageController controller = sample -> {
            threads.add(sample.threads());
            return pool.decide(new StageSample(ThreadPoolController.PERIOD.toNanos(), 1000, 0, Long.MAX_VALUE,
                    sample.threads(), 0, 100L * sample.threads(), 0, 0, new long[0]));
        };
        graph.add("stage", Integer.class, EventBatch::next,
                new StageOptions<Integer>().ownThreads(1, 4).control(controller));
        graph.start();
        OtherThread.await(() -> threads.size() >= 8);
        assertEquals(List.of(1, 2, 3, 4, 4, 4, 4, 4), threads.subList(0, 8));
    }

    @Test
    void allElseIsLimitedToWhatIsPossible() {
        Stage<Integer> stage = graph.add("stage", Integer.class, gate, options().capacity(10));
        graph.start();
        wanted.set(new Decision.Batch(7));
        OtherThread.await(() -> stage.batch() == 7);
        wanted.set(new Decision.Batch(0));
        OtherThread.await(() -> stage.batch() == 1);
        wanted.set(new Decision.Threshold(3));
        OtherThread.await(() -> stage.threshold() == 3);
        wanted.set(new Decision.Threshold(300));
        OtherThread.await(() -> stage.threshold() == 10);
        wanted.set(new Decision.Threshold(-1));
        OtherThread.await(() -> stage.threshold() == 1);
    }

    @Test
    void whatIsLateIsDiscarded() throws Exception {
        Stage<Integer> stage = graph.add("gate", Integer.class, gate, options());
        graph.start();
        gate.occupy(stage);
        stage.queue().enqueueAll(List.of(1, 2, 3));
        OtherThread.await(() -> seen.get() != null && seen.get().oldestWait() > 0);
        wanted.set(new Decision.LongestWait(0));
        // The second sample comes after the first decision.
        for (int i = 0; i < 2; i++) {
            seen.set(null);
            OtherThread.await(() -> seen.get() != null);
        }
        gate.open();
        graph.drain(LIMIT);
        assertEquals(List.of(1, 2, 3), gate.discarded);
        assertEquals(3, stage.discarded());
        assertEquals(1, stage.handled());
    }

    @Test
    void samplesSayWhatWasDone() throws Exception {
        AtomicInteger responses = new AtomicInteger();
        AtomicInteger handled = new AtomicInteger();
        AtomicInteger waits = new AtomicInteger();
        Stage<Integer> stage = graph.add("gate", Integer.class, gate, options().control(sample -> {
            responses.addAndGet(sample.latestResponses().length);
            handled.addAndGet((int) sample.handled());
            assertEquals(sample.responses(), sample.latestResponses().length);
            waits.addAndGet(sample.minWait() < Long.MAX_VALUE ? 1 : 0);
            return Decision.NOTHING;
        }));
        graph.start();
        gate.occupy(stage);
        stage.queue().enqueueAll(List.of(1, 2, 3));
        OtherThread.await(() -> seen.get() != null && seen.get().queueLength() == 3);
        assertEquals(1, seen.get().threads());
        gate.open();
        OtherThread.await(() -> responses.get() == 4 && handled.get() == 4);
        assertTrue(waits.get() >= 1);
        OtherThread.await(() -> seen.get().longestIdle() > 0);
    }

    /** Otherwise a stage whose events fail would seem to be slow, or to have come to a halt. */
    @Test
    void samplesCountEventsThatFail() {
        AtomicInteger handled = new AtomicInteger();
        Stage<Integer> stage = graph.add("stage", Integer.class, batch -> {
            for (Integer next = batch.next(); next != null; next = batch.next()) {
                if (next == 2) {
                    throw new IllegalStateException("in a test");
                }
            }
        }, new StageOptions<Integer>().control(sample -> {
            handled.addAndGet((int) sample.handled());
            return Decision.NOTHING;
        }));
        graph.start();
        stage.queue().enqueueAll(List.of(1, 2, 3, 2));
        OtherThread.await(() -> handled.get() == 4);
        assertEquals(2, stage.handled());
        assertEquals(2, stage.failed());
    }

    @Test
    void aControllerThatThrowsHarmsNoOther() {
        Stage<Integer> stage = graph.add("stage", Integer.class, gate, new StageOptions<Integer>().control(sample -> {
            throw new StackOverflowError("in a test");
        }).control(this::decide));
        wanted.set(new Decision.Batch(3));
        graph.start();
        OtherThread.await(() -> stage.batch() == 3);
    }

    @Test
    void oneThreadStepsTheControllersOfAllStages() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        AtomicInteger[] steps = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        for (int i = 0; i < steps.length; i++) {
            AtomicInteger count = steps[i];
            graph.add("stage " + i, Integer.class, EventBatch::next, new StageOptions<Integer>().control(sample -> {
                threads.add(Thread.currentThread());
                count.incrementAndGet();
                return Decision.NOTHING;
            }));
        }
        graph.start();
        OtherThread.await(() -> Arrays.stream(steps).allMatch(count -> count.get() >= 3));
        assertEquals(1, threads.size(), threads::toString);
    }

    @Test
    void aPercentileHasABucketOfItsOwn() {
        Stage<Integer> stage = graph.add("stage", Integer.class, gate,
                new StageOptions<Integer>().control(new PercentileController(LIMIT)));
        assertEquals(List.of(PercentileController.MAX_RATE), rates(stage));
    }

    private static List<Double> rates(Stage<Integer> stage) {
        return Arrays.stream(stage.ownQueue().admissions())
                .map(admission -> ((TokenBucket<?>) admission).rate()).toList();
    }

    @Test
    void aPercentileLeavesOtherBucketsAlone() {
        TokenBucket<Integer> fixed = new TokenBucket<>(1000, 500);
        Stage<Integer> stage = graph.add("stage", Integer.class, EventBatch::next,
                new StageOptions<Integer>().admission(fixed).control(new PercentileController(Duration.ofNanos(1)))
                        .control(new PercentileController(LIMIT)));
        graph.start();
        OtherThread.await(() -> {
            stage.queue().enqueue(1);
            return rates(stage).stream().filter(rate -> rate == PercentileController.MAX_RATE).count() < 2;
        });
        assertEquals(1000, rates(stage).get(0));
        assertEquals(PercentileController.MAX_RATE,
                rates(stage).stream().mapToDouble(rate -> rate).max().orElseThrow());
        assertEquals(1000, fixed.rate());
    }

    @Test
    void anyControllerMayHaveABucketOfItsOwn() {
        TokenBucket<Integer> fixed = new TokenBucket<>(1000, 500);
        TokenBucket<Object> own = new TokenBucket<>(800, 100);
        Stage<Integer> stage = graph.add("stage", Integer.class, gate, new StageOptions<Integer>().admission(fixed)
                .control(new StageController() {
                    @Override
                    public Decision decide(StageSample sample) {
                        return new Decision.Rate(500);
                    }

                    @Override
                    public TokenBucket<Object> bucket() {
                        return own;
                    }
                }));
        assertEquals(List.of(1000.0, 800.0), rates(stage));
        graph.start();
        OtherThread.await(() -> rates(stage).equals(List.of(1000.0, 500.0)));
    }
}
