package dev.sluice.demultiplexer.spi;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.Handle;

/**
 * The association of a handle with an asynchronous demultiplexer, required to start operations on the handle. It holds
 * the handle's descriptor open until it has ended and its last operation has completed. Closing the handle ends it. All
 * methods may be called from any thread.
 */
public interface Association {

    /** {@return the handle} */
    Handle handle();

    /** Requests the cancellation of all operations that are in flight on the handle now. */
    void cancel();

    /**
     * Replaces the {@link Completion#handler()} of this handle's operations that were claimed for an object: of
     * collected completions whose handler has not been queried, of operations in flight, and of those started later.
     * Must be called while no completion of this handle is in flight except those that the caller itself has collected,
     * as in a hook for one of them, or while no operation is in flight.
     *
     * @param from the previous handler; another call may make it the handler again
     * @param to   the new handler
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
