package dev.sluice.stages.io;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket has been closed, by the application or because of an error.
 *
 * @param socket the listening socket
 * @param cause the error; null if the application has closed it
 */
public record ServerSocketClosed(AsyncServerSocket socket, @Nullable IOException cause) implements SocketEvent {
}
