package dev.sluice.connection;

import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a queue needs of the kind of its connection. Where the system reports when a connection is ready,
 * {@link #transmit} sends at once what the system takes; where the system reports completions it starts one send, and
 * {@link QueuedOutput#transmitted} ends that. Called by the owner, except where it says otherwise. What throws an
 * {@link IOException} does so if the connection has failed.
 */
abstract class OutputTransport {

    /** What {@link #transmit} returns if the system goes on sending until {@link QueuedOutput#transmitted}. */
    protected static final long IN_FLIGHT = -2;
    /** What {@link #transmit} of a file returns if the file ends before the position. */
    protected static final long END_OF_FILE = -1;

    Connection connection;

    OutputTransport(Connection connection) {
        this.connection = connection;
    }

    /** {@return whether the caller is the owner: the loop thread, or the one of several that is inside a hook of it} */
    protected abstract boolean isOwner();

    /** Makes the owner call {@link QueuedOutput#serve()} soon, unless the loop is closed. Called by other threads. */
    protected abstract void wakeOwner();

    /** Makes the connection fail soon, since other threads have sent more than the limit. Called by one of these. */
    protected void wakeAfterOverrun() {
        wakeOwner();
    }

    /**
     * Sends what the system takes at once. Called while nothing waits.
     *
     * @return whether bytes are sent at once at all; if not, they are queued, and {@link #transmit} is called
     */
    protected boolean sendNow(ByteBuffer bytes) throws IOException {
        return false;
    }

    /**
     * Sends the first bytes that wait.
     *
     * @param buffers the buffers; not changed until the send is over; their positions advance by what is sent
     * @param count   their number
     * @return the number of bytes sent, or {@link #IN_FLIGHT}
     */
    protected abstract long transmit(ByteBuffer[] buffers, int count) throws IOException;

    /**
     * Sends the first part of a file that waits.
     *
     * @return the number of bytes sent, {@link #IN_FLIGHT} or {@link #END_OF_FILE}
     */
    protected abstract long transmit(FileHandle file, long position, long count) throws IOException;

    /**
     * Bytes wait, and none are in flight: has {@link QueuedOutput#writable()} called as soon as the system takes bytes,
     * and as often as it does. Where sends are in flight this is so only before the connection is established, and if
     * {@link #transmit} has thrown an error: then the owner tries again. False if it is not to be called any more.
     */
    protected void awaitSpace(boolean waits) {
        if (waits) {
            wakeOwner();
        }
    }

    /** {@return what the connection must have in common with another one whose input it pauses} */
    protected Object eventLoop() {
        return connection.loop();
    }

    /** The input is to be left to the system. */
    protected abstract void pauseInput();

    /** Ends {@link #pauseInput()}. */
    protected abstract void resumeInput();

    /** Ends the output: nothing is sent after that. */
    protected abstract void shutdownOutput() throws IOException;

    /** Discards the input until its end, and ends the connection then or after 2 seconds. */
    protected abstract void linger();

    /** Ends the connection, perhaps after the running hook; then {@link QueuedOutput#ended} is called. Called once. */
    protected abstract void end(@Nullable Throwable cause);
}
