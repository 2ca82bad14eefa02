package dev.sluice.mechanism.handleset;

import dev.sluice.handle.Handle;
import java.io.IOException;

/** What holds for every mechanism of Windows that waits for readiness. */
public final class SocketsOnly {

    private SocketsOnly() {
    }

    /**
     * Refuses files. One in the set would make the waits fail.
     *
     * @param demultiplexer that cannot wait for it
     * @param handle        to register
     * @throws IOException if the handle is not a socket
     */
    public static void require(String demultiplexer, Handle handle) throws IOException {
        if (!handle.isSocket()) {
            throw new IOException(demultiplexer + " cannot wait for " + handle + ": it waits for sockets only");
        }
    }
}
