package dev.sluice.stages.io;

import java.io.IOException;

/**
 * A connection could not be established.
 *
 * @param socket the socket that has tried to connect
 * @param cause the reason
 */
public record ConnectFailed(AsyncClientSocket socket, IOException cause) implements SocketEvent {
}
