package dev.sluice.benchmarks.seda.threads;

import java.io.Closeable;
import java.io.IOException;

/** Performs the tasks. */
interface TaskServer extends Closeable {

    /**
     * Hands a task over to another thread.
     *
     * @param number of the task
     */
    void handOver(int number);

    /** Ends its threads. */
    @Override
    void close() throws IOException;
}
