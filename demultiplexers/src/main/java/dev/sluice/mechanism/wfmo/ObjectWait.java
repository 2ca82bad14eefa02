package dev.sluice.mechanism.wfmo;

import dev.sluice.calls.Binding;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.handle.SystemCallException;

/**
 * A wait for one object, of one of the system's own threads ({@code RegisterWaitForSingleObject}): once the object is
 * signalled, it sets an event object. Not thread-safe.
 */
final class ObjectWait implements AutoCloseable {

    private final Windows windows;
    /** The handle of the wait, and behind it the event that tells that it is over, as an array of one. */
    private final MemoryBlock memory;
    private final long callback;
    private final long object;
    private final long event;
    private boolean begun;

    /**
     * Waits for nothing yet.
     *
     * @param callback the address of {@code SetEvent}
     * @param object   to wait for
     * @param event    to set
     */
    ObjectWait(Binding binding, long callback, long object, long event) throws SystemCallException {
        this.windows = binding.windows();
        this.memory = binding.memory().allocate(2 * Long.BYTES);
        this.callback = callback;
        this.object = object;
        this.event = event;
        long over = windows.CreateEventW(0, 0, 0, 0);
        if (over < 0) {
            memory.close();
            throw new SystemCallException("CreateEvent", WfmoDemultiplexer.NAME, WindowsError.toErrno(over));
        }
        memory.buffer().putLong(Long.BYTES, over);
    }

    /** Waits once, and no longer for an earlier time. */
    void begin() throws SystemCallException {
        end();
        // The thread that waits could also make the call itself, which would save a change of threads. Then Wine (8)
        // crashes when the wait is ended in that moment.
        int result = windows.RegisterWaitForSingleObject(memory.address(), object, callback, event,
                Win32Constants.INFINITE, Win32Constants.WT_EXECUTEONLYONCE);
        if (result < 0) {
            throw new SystemCallException("RegisterWaitForSingleObject", WfmoDemultiplexer.NAME,
                    WindowsError.toErrno(result));
        }
        begun = true;
    }

    /** Waits no longer. From now on the event is not set any more. */
    void end() throws SystemCallException {
        if (begun) {
            // It is over even if this fails, for which there is no reason but a wait that does not exist.
            begun = false;
            // The call itself would wait for the callback if it were given INVALID_HANDLE_VALUE. Wine (8) then misses
            // one that begins in that moment, and either says ERROR_IO_PENDING or says nothing; its event is right.
            int result = windows.UnregisterWaitEx(memory.buffer().getLong(0), memory.buffer().getLong(Long.BYTES));
            if (result < 0 && result != -WindowsError.ERROR_IO_PENDING) {
                throw new SystemCallException("UnregisterWaitEx", WfmoDemultiplexer.NAME,
                        WindowsError.toErrno(result));
            }
            awaitOver();
        }
    }

    private void awaitOver() throws SystemCallException {
        int result = windows.WaitForMultipleObjects(1, memory.address() + Long.BYTES, 0, Win32Constants.INFINITE);
        if (result < 0) {
            throw new SystemCallException("WaitForMultipleObjects", WfmoDemultiplexer.NAME,
                    WindowsError.toErrno(result));
        }
    }

    @Override
    public void close() throws SystemCallException {
        try {
            end();
        } finally {
            windows.CloseHandle(memory.buffer().getLong(Long.BYTES));
            memory.close();
        }
    }
}
