package dev.sluice.handle;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when a handle is used after it has been closed, or is closed while a thread waits on it. */
public final class HandleClosedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable Handle handle;

    /**
     * Creates an exception for an object that has no handle, such as a demultiplexer.
     *
     * @param subject the closed object
     */
    public HandleClosedException(String subject) {
        this(subject, null);
    }

    /** Creates an exception for a closed handle. */
    public HandleClosedException(Handle handle) {
        this(handle.toString(), handle);
    }

    private HandleClosedException(String subject, @Nullable Handle handle) {
        super(subject + " is closed");
        this.handle = handle;
    }

    /** {@return the handle; null if the closed object has none, or this exception has been deserialized} */
    public @Nullable Handle handle() {
        return handle;
    }
}
