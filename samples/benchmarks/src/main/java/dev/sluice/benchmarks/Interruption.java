package dev.sluice.benchmarks;

import dev.sluice.benchmarks.run.Host;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGINT or SIGTERM before the end. All processes that were started are ended, and what was measured until then is
 * still written; the exit code is what Java makes of the signal: 130 or 143.
 */
final class Interruption {

    // For the report; whoever cannot wait has the samples, which are in their file already.
    private static final int SECONDS_TO_WRITE = 10;

    private final CountDownLatch written = new CountDownLatch(1);
    private final Host host;
    private final Thread hook = new Thread(this::end, "interruption");

    private Interruption(Host host) {
        this.host = host;
    }

    /**
     * Listens, until it is closed.
     *
     * @param host ends the processes
     * @return what to close when everything is written
     */
    static Interruption listen(Host host) {
        Interruption interruption = new Interruption(host);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void end() {
        try {
            // Again and again, because one may have been about to be started.
            for (int second = 0; second < SECONDS_TO_WRITE; second++) {
                host.endAll();
                if (written.await(1, TimeUnit.SECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Listens no more: everything is written. */
    void close() {
        written.countDown();
        if (!host.isEnding()) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }
}
