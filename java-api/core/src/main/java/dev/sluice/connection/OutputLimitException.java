package dev.sluice.connection;

import java.io.IOException;

/** A connection is closed because its peer is too slow: more bytes wait than its {@link OutputQueue} may hold. */
public class OutputLimitException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message which connection, and how many bytes
     */
    public OutputLimitException(String message) {
        super(message);
    }
}
