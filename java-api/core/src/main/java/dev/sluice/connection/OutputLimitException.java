package dev.sluice.connection;

import java.io.IOException;

/** Thrown when a connection is closed because its peer is too slow: the {@link OutputQueue} has exceeded its limit. */
public class OutputLimitException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the message, with the connection and the number of bytes
     */
    public OutputLimitException(String message) {
        super(message);
    }
}
