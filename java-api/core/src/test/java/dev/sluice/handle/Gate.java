package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds a thread inside a system call until the test lets it continue. */
final class Gate implements Runnable {

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    @Override
    public void run() {
        arrived.countDown();
        await(opened);
    }

    void awaitArrival() {
        await(arrived);
    }

    void open() {
        opened.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS), "no thread came to the gate");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
