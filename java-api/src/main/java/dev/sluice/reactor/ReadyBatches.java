package dev.sluice.reactor;

import java.io.IOException;

/** What the waits of a reactor bring, and which thread dispatches it. */
interface ReadyBatches {

    /**
     * Waits for ready handles, which the calling thread must then dispatch.
     *
     * @param timeoutNanos in nanoseconds; negative means forever
     * @return how many there are
     * @throws IOException if the system call fails
     */
    int await(long timeoutNanos) throws IOException;

    /**
     * Dispatches the handles that the calling thread's last wait has brought and that have not been dispatched yet.
     *
     * @return how many hooks were called
     */
    int dispatch();

    /** The calling thread, one of several, no longer runs the loop. */
    default void leave() {
        // Where one thread runs the loop, its next run goes on with the same batch.
    }

    /** Closes all batches, when no thread runs the loop any more. */
    void close();
}
