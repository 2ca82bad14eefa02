package dev.sluice.connection;

import java.io.Closeable;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A stream connection on an event loop: the common interface of {@link ServiceHandler} and
 * {@link dev.sluice.proactor.AsyncStream}. All methods may be called from any thread.
 */
public interface Connection extends Closeable {

    /** {@return the queue of data that is sent to the peer; the same object throughout the life of the connection} */
    OutputQueue output();

    /** {@return the address of the peer; null before the connection is established} */
    @Nullable SocketAddress remoteAddress();

    /** {@return the number of bytes received; approximate on threads other than the loop thread} */
    long receivedBytes();

    /**
     * {@return the number of bytes sent, which the system has accepted; approximate on threads other than the loop
     * thread}
     */
    long sentBytes();

    /** {@return the {@link System#nanoTime()} at which the connection was established} */
    long openedNanos();

    /** {@return whether it is established and has not ended} */
    boolean isConnected();

    /**
     * Closes the connection after the queued data has been sent. Shuts down the output then, discards the input until
     * the peer closes or 2 seconds have passed, and closes: so the last bytes are not followed by a reset (RFC 1122,
     * 4.2.2.13). May be called repeatedly.
     */
    void closeWhenSent();

    /** Closes the connection immediately; queued data is discarded. May be called repeatedly. */
    @Override
    void close();

    /** {@return an executor that runs tasks on the thread that calls the hooks of this connection} */
    Executor loop();
}
