package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Of two classes of events, one is refused first: by the threshold, by a bucket, and by the longest wait. */
class RefuseFirstTest {

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
        return new StageOptions<Integer>().refuseFirst(event -> event > 0 && event % 2 == 1);
    }

    @Test
    void halfOfTheThresholdIsForTheOthersAlone() {
        Stage<Integer> stage = graph.add("stage", Integer.class, gate,
                options().capacity(8).control(sample -> wanted.get()));
        graph.start();
        gate.occupy(stage);
        for (int event : new int[] {1, 3, 5, 7}) {
            assertEquals(Outcome.ACCEPTED, stage.queue().enqueue(event));
        }
        assertEquals(Outcome.REFUSED, stage.queue().enqueue(9));
        assertEquals(Outcome.REFUSED, stage.queue().enqueueAll(List.of(2, 9)));
        assertEquals(Outcome.ACCEPTED, stage.queue().enqueue(2));
        wanted.set(new Decision.Threshold(6));
        OtherThread.await(() -> stage.threshold() == 6);
        assertEquals(Outcome.ACCEPTED, stage.queue().enqueue(4));
        assertEquals(Outcome.FULL, stage.queue().enqueue(6));
    }

    @Test
    void halfOfTheBurstIsForTheOthersAlone() {
        TokenBucket<Object> bucket = new TokenBucket<>(1, 4, () -> 0);
        Admission<Integer> admission = new LesserEvents<Integer>(event -> event == 1).tokens(bucket);
        assertTrue(admission.admit(1, 1));
        assertTrue(admission.admit(1, 1));
        assertEquals(false, admission.admit(1, 1));
        assertTrue(admission.admit(2, 1));
        admission.giveBack(2);
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
        while (stage.queue().enqueue(1) == Outcome.ACCEPTED) {
            lesser++;
        }
        int others = 0;
        while (stage.queue().enqueue(2) == Outcome.ACCEPTED) {
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
}
