package dev.sluice.samples.stages;

import dev.sluice.samples.Patience;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.StageHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets no thread out before it is opened. */
final class GatedStage implements StageHandler<Integer> {

    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    void awaitInside() throws InterruptedException {
        if (!inside.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("no event came");
        }
    }

    void open() {
        open.countDown();
    }

    @Override
    public void handleEvents(EventBatch<Integer> batch) throws Exception {
        for (Integer event = batch.next(); event != null; event = batch.next()) {
            inside.countDown();
            if (!open.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("the gate was not opened");
            }
        }
    }
}
