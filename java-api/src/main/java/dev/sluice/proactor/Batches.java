package dev.sluice.proactor;

import java.io.IOException;

/** What the waits of a proactor bring, and which thread dispatches it. */
interface Batches {

    /**
     * Waits for completions, which the calling thread must then dispatch.
     *
     * @param timeoutNanos in nanoseconds; negative means forever
     * @return how many there are
     * @throws IOException if the system call fails
     */
    int await(long timeoutNanos) throws IOException;

    /**
     * Dispatches the completions that the calling thread has collected and not dispatched yet.
     *
     * @return how many hooks were called
     */
    int dispatch();

    /** {@return whether completions have been collected that no thread is dispatching} */
    boolean hasRest();

    /** The calling thread, one of several, no longer runs the loop. */
    default void leave() {
        // Where one thread runs the loop, its next run goes on with the same batch.
    }

    /**
     * The calling thread, the only one inside the loop, is about to end everything in flight, even if there is no
     * memory.
     */
    default void beginEnd() {
        // A batch that is there for good needs no memory.
    }

    /** Closes all batches, when no thread runs the loop any more. */
    void close();
}
