package dev.sluice.stages.io;

/**
 * The outgoing queue of a connection has refused a packet: its peer does not read as fast as it is sent to. The
 * application may close the connection, or send less. It is told once, and again only after the queue was half empty.
 * However often that happens, no more than one of a connection waits until the application has room. It comes before
 * packets that wait until they are allowed, and not any more once the connection is closed.
 *
 * @param connection which has no room
 */
public record OutgoingQueueFull(AsyncConnection connection) implements SocketEvent {

    /** {@return whether the application has closed the connection in the meantime} */
    @Override
    public boolean isExpired() {
        return connection.isClosedByApplication();
    }
}
