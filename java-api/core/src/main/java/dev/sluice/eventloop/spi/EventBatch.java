package dev.sluice.eventloop.spi;

import java.io.IOException;

/**
 * The events of the waits of one thread of an event loop, including waits of hooks that run the loop, and the number of
 * events that have been dispatched. Accessed only by that thread. The next thread that enters the loop may reuse it.
 */
public interface EventBatch {

    /**
     * Waits until there are events, the timeout elapses, or the loop is woken up. If the wait fails, the batch has no
     * events.
     *
     * @param timeoutNanos the timeout in nanoseconds; negative for an unbounded wait
     * @return the number of events
     * @throws IOException if the system call fails
     */
    int await(long timeoutNanos) throws IOException;

    /**
     * Dispatches the events of the last wait that have not been dispatched yet. A hook may run the loop, which calls
     * this method again.
     *
     * @return the number of hooks called
     */
    int dispatch();

    /**
     * Called when the thread, one of several, leaves the loop. Passes events that it has not dispatched because of a
     * failure to the other threads.
     */
    void leave();

    /** Releases the resources, when no thread is inside the loop. Called again if it fails for lack of memory. */
    void close();
}
