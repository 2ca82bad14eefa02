package dev.sluice.samples.conversation;

import java.io.IOException;

/**
 * A connection has been refused and is to be closed. The connection has been answered and counted, so this is not
 * logged.
 */
final class RefusedConnectionException extends IOException {

    private static final long serialVersionUID = 1L;

    RefusedConnectionException() {
        super("there are too many connections");
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
