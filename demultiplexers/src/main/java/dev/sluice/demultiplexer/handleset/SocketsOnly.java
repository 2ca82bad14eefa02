package dev.sluice.demultiplexer.handleset;

import dev.sluice.handle.Handle;
import java.io.IOException;

/** A check that is common to all Windows mechanisms that wait for readiness. */
public final class SocketsOnly {

    private SocketsOnly() {
    }

    /**
     * Refuses files, which would make the waits fail.
     *
     * @param demultiplexer the demultiplexer, for the message
     * @param handle        the handle to register
     * @throws IOException if the handle is not a socket
     */
    public static void require(String demultiplexer, Handle handle) throws IOException {
        if (!handle.isSocket()) {
            throw new IOException(demultiplexer + " cannot wait for " + handle + ": it supports sockets only");
        }
    }
}
