package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.util.OptionalInt;

/**
 * A process of Windows that is a handle ({@code OpenProcess}): ready for reading from the moment the process has ended,
 * for good. Remove the handler then; it would be called again and again. The demultiplexer {@code wfmo} waits for it
 * beside sockets; the others take only sockets.
 *
 * <p>While this is open, the system gives the number of the process to no other one, even after its end.
 *
 * <p>This was tested under Wine alone, never on Windows itself. All methods may be called from any thread.
 */
public final class WindowsProcess implements Closeable {

    private static final int ACCESS = Win32Constants.SYNCHRONIZE | Win32Constants.PROCESS_QUERY_LIMITED_INFORMATION;

    private final Handle handle;
    private final Windows windows;

    private WindowsProcess(Handle handle, Windows windows) {
        this.handle = handle;
        this.windows = windows;
    }

    /**
     * Opens a process by its number. Whoever has that number now is meant; who has a {@link ProcessHandle} can ask it
     * afterwards whether {@linkplain ProcessHandle#isAlive() its} process was alive all the time.
     *
     * @param pid the number of the process, at least 1
     * @return the process; the caller closes it, which does nothing to the process
     * @throws IllegalArgumentException      if this is no number of a process
     * @throws UnsupportedOperationException if the system is not Windows
     * @throws SystemCallException           if there is no such process ({@link Errno#ESRCH}), or this one may not ask
     *                                       about it ({@link Errno#EACCES})
     */
    public static WindowsProcess open(long pid) throws IOException {
        if (pid < 1 || pid > 0xffff_ffffL) {
            throw new IllegalArgumentException("pid: " + pid);
        }
        Binding binding = Bindings.current();
        Windows windows = OperatingSystem.of(binding).windows("a process that is a handle", "ProcessHandle.onExit");
        String subject = "process " + pid;
        long process = windows.OpenProcess(ACCESS, 0, (int) pid);
        if (process == -WindowsError.ERROR_INVALID_PARAMETER) {
            // That is what it says of a number that no process has.
            throw new SystemCallException("OpenProcess", subject, -Errno.ESRCH.number());
        }
        if (process < 0) {
            throw new SystemCallException("OpenProcess", subject, WindowsError.toErrno(process));
        }
        Handle handle = Handle.ofWaitObject(binding, process, WaitObject.STAYS_SIGNALLED, subject);
        try {
            return new WindowsProcess(handle, windows);
        } catch (Throwable e) {
            handle.close();
            throw e;
        }
    }

    /** {@return the handle} */
    public Handle handle() {
        return handle;
    }

    /**
     * {@return whether the process has ended}
     *
     * @throws HandleClosedException if this is closed
     */
    public boolean hasEnded() throws IOException {
        return WaitFunctions.isSignalled(handle, windows);
    }

    /**
     * Tells what the process has returned. Anybody may ask, as often as he likes.
     *
     * @return its exit code, all 32 bits of it; empty while it has not ended
     * @throws HandleClosedException if this is closed
     */
    public OptionalInt exitCode() throws IOException {
        // A process may return STILL_ACTIVE like any other number: the code alone does not say that it has not ended.
        if (!hasEnded()) {
            return OptionalInt.empty();
        }
        long process = handle.acquire();
        try (Scratch scratch = Scratch.borrow(handle.binding())) {
            int result = windows.GetExitCodeProcess(process, scratch.address(Scratch.VALUE));
            if (result < 0) {
                throw new SystemCallException("GetExitCodeProcess", handle, WindowsError.toErrno(result));
            }
            return OptionalInt.of(scratch.memory().getInt(Scratch.VALUE));
        } finally {
            handle.release();
        }
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
