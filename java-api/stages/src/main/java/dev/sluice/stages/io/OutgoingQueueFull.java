package dev.sluice.stages.io;

/**
 * The outgoing queue of a connection has refused a packet: its peer does not read as fast as it is sent to. The
 * application may close the connection, or send less. It gets this event once, and again only after the queue was half
 * empty. At most one event of a connection waits until the application has space. It comes before packets that wait
 * until they are requested, and not any more once the connection is closed.
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
