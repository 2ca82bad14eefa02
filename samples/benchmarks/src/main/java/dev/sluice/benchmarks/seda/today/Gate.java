package dev.sluice.benchmarks.seda.today;

import java.io.Closeable;
import java.io.IOException;

/** Makes pages, or lets only so many be made. For all threads. */
@FunctionalInterface
interface Gate extends Closeable {

    /**
     * {@return a page; null if it is refused}
     *
     * @throws IOException          if it cannot be made
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    byte[] page() throws IOException, InterruptedException;

    /** Ends what makes pages, which by default has nothing that would have to be ended. */
    @Override
    default void close() {
        // See above.
    }
}
