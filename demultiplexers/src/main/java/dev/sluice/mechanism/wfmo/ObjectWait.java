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

    /** As a completion event it makes the call return when no callback is running any more. */
    private static final long INVALID_HANDLE_VALUE = -1;

    private final Windows windows;
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
    ObjectWait(Binding binding, long callback, long object, long event) {
        this.windows = binding.windows();
        this.memory = binding.memory().allocate(Long.BYTES);
        this.callback = callback;
        this.object = object;
        this.event = event;
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
            int result = windows.UnregisterWaitEx(memory.buffer().getLong(0), INVALID_HANDLE_VALUE);
            if (result < 0) {
                throw new SystemCallException("UnregisterWaitEx", WfmoDemultiplexer.NAME,
                        WindowsError.toErrno(result));
            }
        }
    }

    @Override
    public void close() throws SystemCallException {
        try {
            end();
        } finally {
            memory.close();
        }
    }
}
