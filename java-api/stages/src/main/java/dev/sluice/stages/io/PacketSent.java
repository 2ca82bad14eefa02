package dev.sluice.stages.io;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A packet has been sent, or will never be sent.
 *
 * @param connection the connection
 * @param token the token that the application has passed with the packet
 * @param cause the reason why it has not been sent; null if it has
 */
public record PacketSent(AsyncConnection connection, @Nullable Object token, @Nullable IOException cause)
        implements SocketEvent {
}
