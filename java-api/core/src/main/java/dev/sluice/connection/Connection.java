package dev.sluice.connection;

import java.io.Closeable;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A stream connection that lives on an event loop: what a {@link ServiceHandler} and an
 * {@link dev.sluice.proactor.AsyncStream} have in common. Every method may be called from any thread.
 */
public interface Connection extends Closeable {

    /** {@return what is sent to the peer, in order; the same object for as long as the connection lives} */
    OutputQueue output();

    /** {@return the address of the peer; null before the connection is established} */
    @Nullable SocketAddress remoteAddress();

    /** {@return the number of bytes received; for other threads than the loop thread approximate} */
    long receivedBytes();

    /** {@return the number of bytes that the system has taken to be sent; approximate likewise} */
    long sentBytes();

    /** {@return when the connection was established, by {@link System#nanoTime()}} */
    long openedNanos();

    /** {@return whether it is established and has not ended} */
    boolean isConnected();

    /**
     * Sends what is queued, shuts down the output, discards the input until the peer's end or 2 seconds have passed,
     * and closes: so the last bytes are not followed by a reset (RFC 1122, 4.2.2.13). May be called again.
     */
    void closeWhenSent();

    /** Closes the connection at once; what is queued is discarded. May be called again. */
    @Override
    void close();

    /** {@return runs tasks where the hooks of this connection are called} */
    Executor loop();
}
