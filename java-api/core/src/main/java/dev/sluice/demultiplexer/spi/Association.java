package dev.sluice.demultiplexer.spi;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.Handle;

/**
 * What lets operations be started on a handle: its tie to an asynchronous demultiplexer. It holds the handle's
 * descriptor open until it has ended and its last operation has completed. Closing the handle ends it. All methods may
 * be called from any thread.
 */
public interface Association {

    /** {@return the handle} */
    Handle handle();

    /** Asks for the cancellation of every operation that is in flight on the handle now. */
    void cancel();

    /**
     * Makes another object the {@link Completion#handler()} of what one object was claimed for on this handle: of
     * completions that have come and not been asked for their handler, of operations in flight, and of those started
     * later. To be called while no completion of this handle is in flight but those that the caller itself has
     * collected, as in a hook for one of them, or while nothing is in flight.
     *
     * @param from the previous one; if it is to be the handler again, it is given the place back in the same way
     * @param to   the new one
     */
    void handOver(Object from, Object to);

    /** As {@link dev.sluice.proactor.AsyncHandle#prioritize}. */
    void prioritize(int priority);

    /**
     * Cancels the operations in flight and releases the handle, which stays open. Operations started after this
     * complete as cancelled. Does nothing when called again.
     */
    void end();
}
