package dev.sluice.stages.io;

import java.io.IOException;

/**
 * A connection could not be made.
 *
 * @param socket which was to make it
 * @param cause  why not
 */
public record ConnectFailed(AsyncClientSocket socket, IOException cause) implements SocketEvent {
}
