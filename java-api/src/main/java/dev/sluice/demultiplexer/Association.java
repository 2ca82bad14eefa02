package dev.sluice.demultiplexer;

import dev.sluice.handle.Handle;
import java.util.Objects;

/**
 * What lets operations be started on a handle: its tie to an asynchronous demultiplexer. It holds the handle's
 * descriptor open until it has ended and its last operation has completed. Closing the handle ends it. All methods may
 * be called from any thread.
 */
public abstract class Association {

    private final Handle handle;

    /**
     * For demultiplexers.
     *
     * @param handle which
     */
    protected Association(Handle handle) {
        this.handle = Objects.requireNonNull(handle, "handle");
    }

    /** {@return the handle} */
    public final Handle handle() {
        return handle;
    }

    /** Asks for the cancellation of every operation that is in flight on the handle now. */
    public abstract void cancel();

    /**
     * Cancels what is in flight and lets go of the handle, which stays open. Operations started after this complete as
     * cancelled. Does nothing the second time.
     */
    public abstract void end();

    /** {@return the handle's description} */
    @Override
    public final String toString() {
        return handle.toString();
    }
}
