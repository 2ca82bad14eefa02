package dev.sluice.demultiplexer;

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
     * Cancels what is in flight and lets go of the handle, which stays open. Operations started after this complete as
     * cancelled. Does nothing the second time.
     */
    void end();
}
