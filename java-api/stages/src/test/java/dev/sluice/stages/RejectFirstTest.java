package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Of two classes of events, one is refused first: by the threshold, by a bucket, and by the longest wait. */
class RejectFirstTest {

    private static final Duration LIMIT = EventLoopContract.LIMIT;

    private final StageGraph graph = new StageGraph("graph of a test");
    private final Gate gate = new Gate();
    private final AtomicReference<Decision> wanted = new AtomicReference<>(Decision.NOTHING);

    @AfterEach
    void stop() {
        gate.open();
        graph.stop(LIMIT);
    }

    /** Odd numbers are the lesser events. */
    private static StageOptions<Integer> options() {
        return new StageOptions<Integer>().rejectFirst(event -> event > 0 && event % 2 == 1);
    }

    @Test
    void halfOfTheThresholdIsForTheOthersAlone() {
        Stage<Integer> stage = graph.add("stage", Integer.class, gate,
                options().capacity(8).control(sample -> wanted.get()));
        graph.start();
        gate.occupy(stage);
        for (int event : new int[] {1, 3, 5, 7}) {
            assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(event));
        }
        assertEquals(EnqueueResult.REJECTED, stage.queue().enqueue(9));
        assertEquals(EnqueueResult.REJECTED, stage.queue().enqueueAll(List.of(2, 9)));
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(2));
        wanted.set(new Decision.Threshold(6));
        OtherThread.await(() -> stage.threshold() == 6);
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(4));
        assertEquals(EnqueueResult.FULL, stage.queue().enqueue(6));
    }

    @Test
    void halfOfTheBurstIsForTheOthersAlone() {
        TokenBucket<Object> bucket = new TokenBucket<>(1, 4, () -> 0);
        Admission<Integer> admission = new LesserEvents<Integer>(event -> event == 1).tokens(bucket);
        assertTrue(admission.admit(1, 1));
        assertTrue(admission.admit(1, 1));
        assertEquals(false, admission.admit(1, 1));
        assertTrue(admission.admit(2, 1));
        admission.undo(2);
        assertTrue(admission.admit(2, 1));
        assertTrue(admission.admit(2, 1));
        assertEquals(false, admission.admit(2, 1));
    }

    @Test
    void aBucketOfAControllerKnowsBothClasses() {
        PercentileController controller = new PercentileController(Duration.ofSeconds(1));
        controller.bucket().setRate(0.001);
        Stage<Integer> stage = graph.add("stage", Integer.class, gate, options().control(controller));
        int lesser = 0;
        while (stage.queue().enqueue(1) == EnqueueResult.ACCEPTED) {
            lesser++;
        }
        int others = 0;
        while (stage.queue().enqueue(2) == EnqueueResult.ACCEPTED) {
            others++;
        }
        assertEquals(List.of(PercentileController.BURST / 2, PercentileController.BURST / 2), List.of(lesser, others));
    }

    /** By the times of a batch, without a clock. */
    @Test
    void theyMayWaitForHalfAsLong() {
        LesserEvents<Integer> lesser = new LesserEvents<>(event -> event == 1);
        EventRing ring = new EventRing(4, true);
        ring.add(null, new Object[] {1, 2}, 2, 100, 4, EventRing.ALL);
        EventBatch<Integer> batch = new EventBatch<>(4, null, false);
        assertEquals(2, ring.take(batch, 4));
        assertEquals(null, batch.nextLate(110, 20, lesser));
        assertEquals(1, batch.nextLate(111, 20, lesser));
        assertEquals(null, batch.nextLate(111, 20, lesser));
        assertEquals(2, batch.nextLate(121, 20, lesser));
        assertEquals(null, batch.nextLate(121, 20, lesser));
    }

    /** An event of the other class, which may wait for longer, is before it in the batch. */
    @Test
    void lateOnesAreFoundBehindTheOthers() {
        LesserEvents<Integer> lesser = new LesserEvents<>(event -> event % 2 == 1);
        EventRing ring = new EventRing(8, true);
        ring.add(null, new Object[] {2, 1, 4, 3}, 4, 100, 8, EventRing.ALL);
        ring.add(null, new Object[] {5, 6}, 2, 108, 8, EventRing.ALL);
        EventBatch<Integer> batch = new EventBatch<>(8, null, false);
        assertEquals(6, ring.take(batch, 8));
        assertEquals(1, batch.nextLate(111, 20, lesser));
        assertEquals(3, batch.nextLate(111, 20, lesser));
        assertEquals(null, batch.nextLate(111, 20, lesser));
        assertEquals(List.of(2, 4, 5, 6), List.of(batch.next(), batch.next(), batch.next(), batch.next()));
        assertEquals(null, batch.next());
    }

    @Test
    void testThatThrowsOfAnAcceptedEventIsLogged() {
        LesserEvents<Integer> lesser = new LesserEvents<>(event -> {
            throw new IllegalStateException("thrown by the test");
        });
        EventRing ring = new EventRing(4, true);
        ring.add(1, null, 1, 100, 4, EventRing.ALL);
        EventBatch<Integer> batch = new EventBatch<>(4, null, false);
        assertEquals(1, ring.take(batch, 4));
        assertEquals(null, batch.nextLate(111, 20, lesser));
        assertEquals(1, batch.nextLate(121, 20, lesser));
    }

    /** Each stage has a threshold of its own. */
    @Test
    void settingsMayBeUsedForSeveralStages() {
        Gate other = new Gate();
        StageOptions<Integer> settings = options().capacity(8);
        Stage<Integer> stage = graph.add("stage", Integer.class, gate, settings);
        graph.add("small", Integer.class, other, settings.capacity(2));
        graph.start();
        gate.occupy(stage);
        for (int event : new int[] {1, 3, 5, 7}) {
            assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(event));
        }
        assertEquals(EnqueueResult.REJECTED, stage.queue().enqueue(9));
        other.open();
    }

    /** It throws to the caller before the event is accepted; of an accepted one it is only logged. */
    @Test
    void testThatThrowsLosesNoEvent() throws Exception {
        AtomicReference<RuntimeException> thrown = new AtomicReference<>();
        Stage<Integer> stage = graph.add("stage", Integer.class, gate,
                new StageOptions<Integer>().capacity(4).control(sample -> wanted.get())
                        .rejectFirst(event -> {
                            if (thrown.get() != null) {
                                throw thrown.get();
                            }
                            return false;
                        }));
        graph.start();
        gate.occupy(stage);
        wanted.set(new Decision.LongestWait(1));
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueueAll(List.of(1, 2, 3)));
        thrown.set(new IllegalStateException("thrown by the test"));
        assertThrows(IllegalStateException.class, () -> stage.queue().enqueue(4));
        assertEquals(3, stage.length());
        gate.open();
        assertTrue(graph.drain(LIMIT));
        assertEquals(4, stage.handled() + stage.discarded());
        assertEquals(4, stage.accepted());
        assertEquals(0, stage.failed());
    }
}
