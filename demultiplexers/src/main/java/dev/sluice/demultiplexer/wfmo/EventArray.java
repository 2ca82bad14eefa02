package dev.sluice.demultiplexer.wfmo;

import dev.sluice.calls.Binding;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.handle.SystemCallException;

/**
 * Event objects, as many as one call can wait for. The array contains them twice, so that a wait can begin with any of
 * them: the call prefers the first that is set.
 */
final class EventArray implements AutoCloseable {

    static final int SIZE = Win32Constants.MAXIMUM_WAIT_OBJECTS;

    private final Windows windows;
    private final MemoryBlock memory;
    private int open;

    EventArray(Binding binding) throws SystemCallException {
        windows = binding.windows();
        memory = binding.memory().allocate(2 * SIZE * Long.BYTES);
        try {
            create();
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private void create() throws SystemCallException {
        while (open < SIZE) {
            long event = windows.CreateEventW(0, 0, 0, 0);
            if (event < 0) {
                throw new SystemCallException("CreateEvent", WfmoDemultiplexer.NAME, WindowsError.toErrno(event));
            }
            memory.buffer().putLong(open * Long.BYTES, event);
            memory.buffer().putLong((open + SIZE) * Long.BYTES, event);
            open++;
        }
    }

    /** {@return the handle of the event with the given index, which is less than {@link #SIZE}} */
    long event(int index) {
        return memory.buffer().getLong(index * Long.BYTES);
    }

    /** {@return the address of an array of all events that begins with the event of the given index} */
    long from(int index) {
        return memory.address() + (long) index * Long.BYTES;
    }

    @Override
    public void close() {
        // Counts down, so that no event is closed twice if there is no memory for a call and the close is repeated.
        for (; open > 0; open--) {
            windows.CloseHandle(event(open - 1));
        }
        memory.close();
    }
}
