package dev.sluice.samples.io;

import dev.sluice.handle.SocketStream;
import java.io.IOException;

/** The protocol of a server, independent of I/O and concurrency strategies. Thread-safe. */
public interface Protocol {

    /** {@return the sample's name} */
    String name();

    /** {@return how long a client may take, as far as it begins to take it now} */
    Timeouts timeouts();

    /** {@return the answer to a connection that is one too many; empty if there is none, as it is unless overridden} */
    default byte[] refusal() {
        return new byte[0];
    }

    /**
     * Prepares for the connections of one more event loop. Called before the first of them comes.
     *
     * @param log takes a line for each reply; null for none
     * @return makes their protocol handlers
     */
    ProtocolHandlers handlers(AccessLog.Lines log);

    /** Makes the protocol handlers of one event loop's connections. For all threads that serve them. */
    @FunctionalInterface
    interface ProtocolHandlers {

        /**
         * Begins with a connection.
         *
         * @param peer   the connection; the driver transfers its octets and closes it
         * @param client its address, for the log; null if there is none
         * @return its protocol handler
         * @throws IOException if the connection is to be closed at once
         */
        ProtocolHandler begin(SocketStream peer, String client) throws IOException;
    }
}
