package dev.sluice.benchmarks;

import dev.sluice.benchmarks.run.Host;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGINT or SIGTERM before the end. All processes that were started are ended, and what was measured until then is
 * still written; the exit code is what Java makes of the signal: 130 or 143.
 */
final class Interruption {

    // For the measuring thread to notice the interruption and to write the report.
    private static final int SECONDS_TO_WRITE = 10;

    private final CountDownLatch written = new CountDownLatch(1);
    private final Host host;
    private final Thread measuring;
    private final Runnable lastResort;
    private final Thread hook = new Thread(this::end, "interruption");

    private Interruption(Host host, Thread measuring, Runnable lastResort) {
        this.host = host;
        this.measuring = measuring;
        this.lastResort = lastResort;
    }

    /**
     * Listens, until it is closed, for the end of the current thread, which is interrupted.
     *
     * @param host       ends the processes
     * @param lastResort writes what there is if the current thread does not do that soon
     * @return what to close when everything is written
     */
    static Interruption listen(Host host, Runnable lastResort) {
        Interruption interruption = new Interruption(host, Thread.currentThread(), lastResort);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void end() {
        try {
            host.endAll();
            measuring.interrupt();
            for (int second = 0; second < SECONDS_TO_WRITE; second++) {
                if (written.await(1, TimeUnit.SECONDS)) {
                    return;
                }
                // Again and again, because one may have been about to be started.
                host.endAll();
            }
            lastResort.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            host.endAll();
        }
    }

    /** Listens no more: everything is written. */
    void close() {
        written.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is running.
        }
    }
}
