package dev.sluice.samples.server;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Where a server's lines go: records, an access log. Used by one thread at a time. */
public interface LineDestination extends Closeable {

    /**
     * Writes all of it, waiting if need be.
     *
     * @param lines whole lines; consumed
     * @throws IOException if some of them are lost
     */
    void write(ByteBuffer lines) throws IOException;

    /** {@return whether the lines that it takes are lost, because its file has been deleted} */
    default boolean isDeleted() {
        return false;
    }
}
