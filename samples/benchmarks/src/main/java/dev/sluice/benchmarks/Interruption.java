package dev.sluice.benchmarks;

import dev.sluice.benchmarks.run.Host;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles SIGINT and SIGTERM before the end. All started processes are ended, and everything measured so far is still
 * written; the exit code is Java's for the signal: 130 or 143.
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
     * Listens for signals until it is closed, and interrupts the current thread.
     *
     * @param host the host, which ends the processes
     * @param lastResort writes the results if the current thread does not do so soon
     * @return the listener, to be closed when everything is written
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
                // Repeatedly, because another process may be about to start.
                host.endAll();
            }
            lastResort.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            host.endAll();
        }
    }

    /** Stops listening. */
    void close() {
        written.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is running.
        }
    }
}
