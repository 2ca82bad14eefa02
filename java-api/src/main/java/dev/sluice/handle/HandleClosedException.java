package dev.sluice.handle;

import java.io.IOException;

/** A handle was used after it had been closed, or was closed while a thread waited on it. */
public final class HandleClosedException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Names the handle.
     *
     * @param subject what was closed
     */
    public HandleClosedException(String subject) {
        super(subject + " is closed");
    }
}
