package dev.sluice.stages.io;

/**
 * The outgoing queue of a connection has rejected a packet: its peer does not read as fast as the application sends.
 * The application may close the connection, or send less. It gets this event once, and again only after the queue was
 * half empty. At most one such event of a connection waits for space in the application's queue. It is delivered before
 * packets that wait until they are requested, and not after the connection has been closed.
 *
 * @param connection the connection whose queue is full
 */
public record OutgoingQueueFull(AsyncConnection connection) implements SocketEvent {

    /** {@return whether the application has closed the connection in the meantime} */
    @Override
    public boolean isExpired() {
        return connection.isClosedByApplication();
    }
}
