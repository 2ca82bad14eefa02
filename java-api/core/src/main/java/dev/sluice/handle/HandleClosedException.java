package dev.sluice.handle;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A handle was used after it had been closed, or was closed while a thread waited on it. */
public final class HandleClosedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable Handle handle;

    /**
     * For something that has no handle of its own, such as a demultiplexer.
     *
     * @param subject the closed object
     */
    public HandleClosedException(String subject) {
        this(subject, null);
    }

    /** Names the handle that was closed. */
    public HandleClosedException(Handle handle) {
        this(handle.toString(), handle);
    }

    private HandleClosedException(String subject, @Nullable Handle handle) {
        super(subject + " is closed");
        this.handle = handle;
    }

    /** {@return the handle; null if something else was closed, or this has been deserialized} */
    public @Nullable Handle handle() {
        return handle;
    }
}
