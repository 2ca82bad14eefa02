package dev.sluice.stages.io;

import java.io.IOException;

/**
 * No more connections are accepted, and the listening socket is closed.
 *
 * @param socket which has accepted them
 * @param cause  why; null if the application has closed it
 */
public record ServerSocketClosed(AsyncServerSocket socket, IOException cause) implements SocketEvent {
}
