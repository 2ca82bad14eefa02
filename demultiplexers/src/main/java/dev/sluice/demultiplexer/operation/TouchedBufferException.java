package dev.sluice.demultiplexer.operation;

/**
 * A buffer is no longer as it was when its operation was started. That is the doing of whoever started it: only this
 * operation fails, and all others go on.
 */
final class TouchedBufferException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    TouchedBufferException(RuntimeException cause) {
        super("a buffer was changed or freed while it belonged to an operation, or two operations had it at once",
                cause);
    }
}
