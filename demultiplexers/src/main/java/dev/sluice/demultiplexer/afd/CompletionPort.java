package dev.sluice.demultiplexer.afd;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.deadline.Timeout;
import dev.sluice.handle.SystemCallException;
import java.io.UncheckedIOException;

/** A completion port of Windows. May be used by any thread, except for {@link #close}. */
public final class CompletionPort implements AutoCloseable {

    private static final long INVALID_HANDLE_VALUE = -1;

    private final Windows windows;
    private final String name;
    private final long port;

    /**
     * Opens a port.
     *
     * @param windows     makes the calls
     * @param name        the name of the demultiplexer, for messages
     * @param concurrency the maximum number of waiting threads that the system lets run at the same time; 0 for the
     *                    number of processors
     * @throws SystemCallException if the system refuses
     */
    public CompletionPort(Windows windows, String name, int concurrency) throws SystemCallException {
        this.windows = windows;
        this.name = name;
        port = windows.CreateIoCompletionPort(INVALID_HANDLE_VALUE, 0, 0, concurrency);
        if (port <= 0) {
            throw new SystemCallException("CreateIoCompletionPort", name, WindowsError.toErrno(port));
        }
    }

    /**
     * Associates a handle with the port, until the handle is closed.
     *
     * @return 0, or a negated error number of Windows
     */
    public int tie(long handle) {
        return (int) Math.min(0, windows.CreateIoCompletionPort(handle, port, 0, 0));
    }

    /**
     * Waits for packets.
     *
     * @param packets  the memory that the call fills in, see {@link PacketArray}
     * @param capacity the maximum number of packets
     * @return the number of packets, 0 after the timeout, or a negated error number
     */
    public int await(MemoryBlock packets, int capacity, long timeoutNanos) {
        int result = windows.GetQueuedCompletionStatusEx(port, PacketArray.address(packets), capacity,
                PacketArray.countAddress(packets), Timeout.millis(timeoutNanos), 0);
        if (result == -WindowsError.WAIT_TIMEOUT) {
            return 0;
        }
        return result < 0 ? WindowsError.toErrno(result) : PacketArray.count(packets);
    }

    /**
     * Queues a packet, which one waiter receives.
     *
     * @param identifier the number that the packet carries in place of the address of an {@code OVERLAPPED}
     * @throws UncheckedIOException if the system has no memory for it
     */
    public void post(long identifier) {
        int result = queue(identifier);
        if (result < 0) {
            throw new UncheckedIOException(
                    new SystemCallException("PostQueuedCompletionStatus", name, WindowsError.toErrno(result)));
        }
    }

    /** {@return whether a packet has been queued, see {@link #post}; false if the system has no memory for it} */
    public boolean tryToPost(long identifier) {
        return queue(identifier) >= 0;
    }

    private int queue(long identifier) {
        return windows.PostQueuedCompletionStatus(port, 0, 0, identifier);
    }

    /** Closes the port. Must not be called while a thread waits: the system does not end every wait. */
    @Override
    public void close() {
        int result = windows.CloseHandle(port);
        if (result < 0) {
            throw new UncheckedIOException(new SystemCallException("CloseHandle", name, WindowsError.toErrno(result)));
        }
    }
}
