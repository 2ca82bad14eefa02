package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.system.OperatingSystem;
import java.io.Closeable;
import java.io.IOException;

/**
 * An event object of Windows ({@code CreateEvent}): something that is set or not, by which one thread tells others, or
 * a driver tells a program, that something has happened. Ready for reading while it is set. The demultiplexer
 * {@code wfmo} waits for it beside sockets; the others take only sockets.
 *
 * <p>One that is {@linkplain Reset#MANUAL reset by hand} is ready until somebody calls {@link #reset()}, and is
 * reported again and again. One that is {@linkplain Reset#AUTOMATIC reset automatically} is reported once each time it
 * is set; setting it again before that is not counted. Its registration resets it, and keeps the signal until it may
 * report it: while the handler is suspended, too. If the registration ends before, the event is set again, so that
 * whoever waits for it next gets the signal; but when it is set in the same moment as its registration ends, the signal
 * may be lost.
 * Whoever cannot bear that takes one that is reset by hand.
 *
 * <p>This was tested under Wine alone, never on Windows itself. All methods may be called from any thread.
 */
public final class WindowsEvent implements Closeable {

    /** Who resets an event. */
    public enum Reset {
        /** The wait that it ends, or the demultiplexer that reports it. */
        AUTOMATIC(0, WaitObject.RESET_BY_WAIT),
        /** {@link WindowsEvent#reset()}. */
        MANUAL(1, WaitObject.STAYS_SIGNALLED);

        private final int manualReset;
        private final WaitObject kind;

        Reset(int manualReset, WaitObject kind) {
            this.manualReset = manualReset;
            this.kind = kind;
        }
    }

    private final Handle handle;
    private final Windows windows;

    private WindowsEvent(Handle handle, Windows windows) {
        this.handle = handle;
        this.windows = windows;
    }

    /**
     * Opens an event without a name, which is not set.
     *
     * @param reset who resets it
     * @return the event; the caller closes it
     * @throws UnsupportedOperationException if the system is not Windows
     * @throws SystemCallException           if the system refuses
     */
    public static WindowsEvent open(Reset reset) throws IOException {
        Binding binding = Bindings.current();
        Windows windows = OperatingSystem.of(binding).windows("an event object", "a pipe");
        long event = windows.CreateEventW(0, reset.manualReset, 0, 0);
        if (event < 0) {
            throw new SystemCallException("CreateEvent", "event", WindowsError.toErrno(event));
        }
        Handle handle = Handle.ofWaitObject(binding, event, reset.kind, "event");
        try {
            return new WindowsEvent(handle, windows);
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
     * Sets it. If it is set already, nothing happens.
     *
     * @throws HandleClosedException if this is closed
     */
    public void set() throws IOException {
        long event = handle.acquire();
        try {
            require("SetEvent", windows.SetEvent(event));
        } finally {
            handle.release();
        }
    }

    /**
     * Resets it. If it is not set, nothing happens.
     *
     * @throws HandleClosedException if this is closed
     */
    public void reset() throws IOException {
        long event = handle.acquire();
        try {
            require("ResetEvent", windows.ResetEvent(event));
        } finally {
            handle.release();
        }
    }

    /**
     * Asks whether it is set, without waiting, and resets it if that is done automatically. While it is registered with
     * a demultiplexer, that one may have done so already.
     *
     * @return whether it was set
     * @throws HandleClosedException if this is closed
     */
    public boolean take() throws IOException {
        return WaitFunctions.isSignalled(handle, windows);
    }

    private void require(String call, int result) throws SystemCallException {
        if (result < 0) {
            throw new SystemCallException(call, handle, WindowsError.toErrno(result));
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
