package dev.sluice.handle;

import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.system.Scratch;
import java.io.IOException;

/** The wait functions of Windows, for one object and without a wait. */
final class WaitFunctions {

    private WaitFunctions() {
    }

    /** {@return whether it is signalled; if a wait resets it, this does} */
    static boolean isSignalled(Handle handle, Windows windows) throws IOException {
        long object = handle.acquire();
        try (Scratch scratch = Scratch.borrow(handle.binding())) {
            scratch.memory().putLong(Scratch.VALUE, object);
            int result = windows.WaitForMultipleObjects(1, scratch.address(Scratch.VALUE), 0, 0);
            if (result < 0) {
                throw new SystemCallException("WaitForMultipleObjects", handle, WindowsError.toErrno(result));
            }
            return result == Win32Constants.WAIT_OBJECT_0;
        } finally {
            handle.release();
        }
    }
}
