package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.handle.SystemCallException;
import java.io.UncheckedIOException;

/** The port itself. Any thread may use it, except for the close. */
final class CompletionPort implements AutoCloseable {

    private static final long INVALID_HANDLE_VALUE = -1;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private final Windows windows;
    private final String name;
    private final long port;

    CompletionPort(Windows windows, String name, int concurrency) throws SystemCallException {
        this.windows = windows;
        this.name = name;
        port = windows.CreateIoCompletionPort(INVALID_HANDLE_VALUE, 0, 0, concurrency);
        if (port <= 0) {
            throw new SystemCallException("CreateIoCompletionPort", name, WindowsError.toErrno(port));
        }
    }

    /**
     * Ties a handle to the port, for as long as it is open.
     *
     * @return 0, or a negated error number of Windows
     */
    int tie(long handle) {
        return (int) Math.min(0, windows.CreateIoCompletionPort(handle, port, 0, 0));
    }

    /** Waits for packets. */
    void dequeue(PortCompletions taken, long timeoutNanos) throws SystemCallException {
        taken.clearPackets();
        int result = windows.GetQueuedCompletionStatusEx(port, taken.packetsAddress(), taken.maxPackets(),
                taken.countAddress(), toMillis(timeoutNanos), 0);
        if (result == -WindowsError.WAIT_TIMEOUT) {
            taken.clearPackets();
        } else if (result < 0) {
            throw new SystemCallException("GetQueuedCompletionStatusEx", name, WindowsError.toErrno(result));
        }
    }

    /** Rounded up, so that a wait never ends before its time. A wait longer than fits is repeated. */
    private static int toMillis(long nanos) {
        if (nanos < 0) {
            return Win32Constants.INFINITE;
        }
        return (int) Math.min(Integer.MAX_VALUE, nanos / NANOS_PER_MILLI + (nanos % NANOS_PER_MILLI == 0 ? 0 : 1));
    }

    /**
     * Queues a packet that looks like that of a completed call; 0 stands for no call.
     *
     * @throws UncheckedIOException if the system has no memory for it
     */
    void post(long overlapped) {
        int result = queue(overlapped);
        if (result < 0) {
            throw new UncheckedIOException(
                    new SystemCallException("PostQueuedCompletionStatus", name, WindowsError.toErrno(result)));
        }
    }

    /** {@return false if the system has no memory for the packet, see {@link #post}} */
    boolean tryToPost(long overlapped) {
        return queue(overlapped) >= 0;
    }

    private int queue(long overlapped) {
        return windows.PostQueuedCompletionStatus(port, 0, 0, overlapped);
    }

    /** No thread may be waiting: closing a port does not end every wait. */
    @Override
    public void close() {
        int result = windows.CloseHandle(port);
        if (result < 0) {
            throw new UncheckedIOException(new SystemCallException("CloseHandle", name, WindowsError.toErrno(result)));
        }
    }
}
