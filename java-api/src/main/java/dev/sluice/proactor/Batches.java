package dev.sluice.proactor;

import java.io.IOException;

/** What the waits of a proactor bring, and who dispatches it. */
interface Batches {

    /**
     * Waits for completions, which the calling thread is to dispatch.
     *
     * @param timeoutNanos in nanoseconds; negative for ever
     * @return how many there are
     * @throws IOException if the system call fails
     */
    int await(long timeoutNanos) throws IOException;

    /**
     * Dispatches what the calling thread has got and not dispatched yet.
     *
     * @return how many hooks were called
     */
    int dispatch();

    /** {@return whether something has been got that nobody dispatches} */
    boolean hasRest();

    /** The calling thread runs the loop no more. */
    void leave();

    /** The calling thread, the only one inside, is about to end all that is in flight, even if there is no memory. */
    void beginEnd();

    /** Gives back all there is, when nobody runs the loop any more. */
    void close();
}
