package dev.sluice.stages.io;

/**
 * The peer has shut down its output: there are no more packets. The connection is still open for sending, until the
 * application closes it.
 *
 * @param connection the connection whose input has ended
 */
public record EndOfInput(AsyncConnection connection) implements SocketEvent {

    /** {@return whether the application has closed the connection in the meantime} */
    @Override
    public boolean isExpired() {
        return connection.isClosedByApplication();
    }
}
