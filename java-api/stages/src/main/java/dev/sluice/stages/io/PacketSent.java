package dev.sluice.stages.io;

import java.io.IOException;

/**
 * A packet has been sent, or never will be.
 *
 * @param connection which was to send it
 * @param token      what the application has given with it
 * @param cause      why it has not been sent; null if it has
 */
public record PacketSent(AsyncConnection connection, Object token, IOException cause) implements SocketEvent {
}
