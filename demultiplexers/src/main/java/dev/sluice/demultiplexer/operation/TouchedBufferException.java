package dev.sluice.demultiplexer.operation;

/**
 * A buffer is no longer as it was when its operation was started. The caller has changed it: only this operation fails,
 * and all others continue.
 */
final class TouchedBufferException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    TouchedBufferException(RuntimeException cause) {
        super("a buffer was changed or freed while it belonged to an operation, or two operations had it at once",
                cause);
    }
}
