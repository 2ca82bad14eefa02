package dev.sluice.samples.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkersTest {

    @Test
    void countWaitingRequests() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(3);
        try (Workers workers = new Workers(1)) {
            workers.execute(() -> {
                begun.countDown();
                await(end);
                all.countDown();
            });
            workers.execute(all::countDown);
            workers.execute(all::countDown);
            await(begun);
            assertEquals(2, workers.queued());
            end.countDown();
            await(all);
            assertEquals(0, workers.queued());
        } finally {
            end.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
