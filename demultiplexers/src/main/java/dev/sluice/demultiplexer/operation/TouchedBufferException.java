package dev.sluice.demultiplexer.operation;

/** Thrown if the program has changed or freed a buffer while an operation used it. Only this operation fails. */
final class TouchedBufferException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    TouchedBufferException(RuntimeException cause) {
        super("a buffer was changed or freed while it belonged to an operation, or two operations had it at once",
                cause);
    }
}
