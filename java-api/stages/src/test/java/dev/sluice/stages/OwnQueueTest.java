package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A handler that enqueues at its own stage. A direct stage cannot. */
@StageKind.Queued
class OwnQueueTest extends StageContract {

    @Test
    void aHandlerThatFindsItsOwnQueueFullLosesNothing() throws Exception {
        AtomicInteger accepted = new AtomicInteger();
        AtomicInteger full = new AtomicInteger();
        AtomicInteger handled = new AtomicInteger();
        StageHandler<Integer> handler = new StageHandler<>() {
            private EventQueue<Integer> itself;

            @Override
            public void handleStart(StageContext context) {
                itself = context.queue("stage", Integer.class);
            }

            @Override
            public void handleEvents(EventBatch<Integer> batch) throws Exception {
                for (Integer event = batch.next(); event != null; event = batch.next()) {
                    for (int i = 0; i < event; i++) {
                        EnqueueResult result = itself.enqueue(event - 1);
                        (result == EnqueueResult.ACCEPTED ? accepted : full).incrementAndGet();
                    }
                    handled.incrementAndGet();
                }
            }

            @Override
            public boolean isExclusive() {
                return true;
            }
        };
        Stage<Integer> stage = graph.add("stage", Integer.class, handler, this.<Integer>options().capacity(4));
        assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(6));
        graph.start();
        StopReport report = graph.stop(LIMIT);
        assertTrue(report.isDrained(), report::toString);
        assertTrue(full.get() >= 2, full::toString);
        assertEquals(1 + accepted.get(), handled.get());
        assertEquals(handled.get(), stage.handled());
        assertEquals(full.get(), stage.rejected());
    }
}
