package dev.sluice.connection;

import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a queue that depend on the type of its connection. On a Reactor, {@link #transmit} sends
 * immediately as much as the system accepts; on a Proactor it starts a send, which {@link QueuedOutput#transmitted}
 * ends. Called by the owner, unless specified otherwise. Methods throw an {@link IOException} if the connection has
 * failed.
 */
abstract class OutputTransport {

    /** Result of {@link #transmit} if the send is in flight until {@link QueuedOutput#transmitted}. */
    protected static final long IN_FLIGHT = -2;
    /** Result of {@link #transmit} if the file ends before the position. */
    protected static final long END_OF_FILE = -1;

    Connection connection;

    OutputTransport(Connection connection) {
        this.connection = connection;
    }

    /**
     * {@return whether the caller is the owner: the loop thread, or the thread of several that is inside a hook of the
     * connection}
     */
    protected abstract boolean isOwner();

    /** Makes the owner call {@link QueuedOutput#serve()}, unless the loop is closed. Called by other threads. */
    protected abstract void wakeOwner();

    /** Makes the connection fail, because other threads have exceeded the limit. Called by other threads. */
    protected void wakeAfterOverrun() {
        wakeOwner();
    }

    /**
     * Sends as many bytes as the system accepts immediately. Called while the queue is empty.
     *
     * @return false if the transport cannot do that; the bytes are queued then, and {@link #transmit} is called
     */
    protected boolean sendNow(ByteBuffer bytes) throws IOException {
        return false;
    }

    /**
     * Sends the first queued bytes.
     *
     * @param buffers the buffers, which are not changed until the send is over; their positions advance by the bytes
     *                sent
     * @param count   the number of buffers
     * @return the number of bytes sent, or {@link #IN_FLIGHT}
     */
    protected abstract long transmit(ByteBuffer[] buffers, int count) throws IOException;

    /**
     * Sends the first queued part of a file.
     *
     * @return the number of bytes sent, {@link #IN_FLIGHT} or {@link #END_OF_FILE}
     */
    protected abstract long transmit(FileHandle file, long position, long count) throws IOException;

    /**
     * Sets whether {@link QueuedOutput#writable()} is called whenever the system accepts bytes; true if bytes are
     * queued and none are in flight. On a Proactor, that is the case only before the connection is established, and
     * after {@link #transmit} has thrown an error: then the owner tries again.
     */
    protected void awaitSpace(boolean waits) {
        if (waits) {
            wakeOwner();
        }
    }

    /** {@return the event loop, which must be the same for a connection whose input it pauses} */
    protected Object eventLoop() {
        return connection.loop();
    }

    /** Stops receiving input. */
    protected abstract void pauseInput();

    /** Ends {@link #pauseInput()}. */
    protected abstract void resumeInput();

    /** Shuts down the output: no bytes can be sent after that. */
    protected abstract void shutdownOutput() throws IOException;

    /** Discards the input until its end, and ends the connection then, or after 2 seconds. */
    protected abstract void linger();

    /** Ends the connection, possibly after a running hook, and then calls {@link QueuedOutput#ended}. Called once. */
    protected abstract void end(@Nullable Throwable cause);
}
