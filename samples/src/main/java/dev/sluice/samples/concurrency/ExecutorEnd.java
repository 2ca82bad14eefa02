package dev.sluice.samples.concurrency;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** The end of an executor whose tasks end by themselves. */
final class ExecutorEnd {

    private ExecutorEnd() {
    }

    /** Waits for all tasks, also when interrupted. */
    static void await(ExecutorService executor) {
        executor.shutdown();
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                ended = executor.awaitTermination(1, TimeUnit.DAYS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
