package dev.sluice.stages.io;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A connection is closed, by the application or by an error. This is its last event.
 *
 * @param connection the closed connection
 * @param cause      the error; null if the application has closed it
 */
public record ConnectionClosed(AsyncConnection connection, @Nullable IOException cause) implements SocketEvent {
}
