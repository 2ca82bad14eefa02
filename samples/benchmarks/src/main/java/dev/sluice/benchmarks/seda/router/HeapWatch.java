package dev.sluice.benchmarks.seda.router;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.LiveHeap;
import java.io.IOException;
import java.time.Duration;

/**
 * Looks now and then at how much of a virtual machine's heap is in use after a collection. What is resident would tell
 * of the collector's habits: it takes all that it may have before it begins.
 */
final class HeapWatch extends Watch {

    private static final Duration BETWEEN = Duration.ofMillis(500);

    private final long process;
    private final Host host;
    private IOException failure;
    private long maxBytes;

    private HeapWatch(long process, Host host, Duration wait, Duration time) {
        super("heap watch", wait, time);
        this.process = process;
        this.host = host;
    }

    /**
     * Begins to look.
     *
     * @param process the number of one that runs on Java
     * @param host    starts what looks
     * @param wait    until what is seen counts
     * @param time    for how long it counts; there is one look at least
     * @return to be closed by the caller
     */
    static HeapWatch begin(long process, Host host, Duration wait, Duration time) {
        HeapWatch watch = new HeapWatch(process, host, wait, time);
        watch.begin();
        return watch;
    }

    @Override
    void watch() {
        try {
            awaitBeginning();
            do {
                maxBytes = Math.max(maxBytes, LiveHeap.bytes(process, host));
                Thread.sleep(BETWEEN);
            } while (!isOver());
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            failure = new IOException("interrupted", e);
        }
    }

    /**
     * {@return the most bytes in use after a collection; after the close}
     *
     * @throws IOException if a look has failed
     */
    long maxBytes() throws IOException {
        if (failure != null) {
            throw failure;
        }
        return maxBytes;
    }
}
