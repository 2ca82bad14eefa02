package dev.sluice.eventloop.spi;

import java.io.IOException;

/**
 * What the waits of one thread of an event loop bring, also while its hooks run the loop, and how much of that has been
 * dispatched. Used only by that thread. The next thread that enters the loop may use it again.
 */
public interface EventBatch {

    /**
     * Waits until there is something to dispatch, the time is over, or the loop is woken up. If the wait fails, there
     * is nothing to dispatch.
     *
     * @param timeoutNanos in nanoseconds; negative means forever
     * @return how much there is to dispatch
     * @throws IOException if the system call fails
     */
    int await(long timeoutNanos) throws IOException;

    /**
     * Dispatches what the last wait brought and has not been dispatched yet. A hook may run the loop, which calls this
     * again.
     *
     * @return the number of hooks called
     */
    int dispatch();

    /**
     * The thread leaves the loop, one of many, and leaves to the others what a failure has kept it from dispatching.
     * Otherwise nothing is left.
     */
    void leave();

    /** Releases what is waited with, when no thread is inside the loop. If there was no memory for it, called again. */
    void close();
}
