package dev.sluice.demultiplexer.afd;

import dev.sluice.calls.Binding;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.IoStatusBlock;
import dev.sluice.calls.layout.ObjectAttributes;
import dev.sluice.calls.layout.UnicodeString;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.handle.SystemCallException;
import java.nio.ByteBuffer;

/** The socket driver, opened for poll requests. May be used by any thread, except for {@link #close}. */
public final class AfdDriver implements AutoCloseable {

    private static final String PATH = "\\Device\\Afd\\Sluice";

    private final Windows windows;
    private final long handle;

    /**
     * Opens the driver.
     *
     * @param binding       makes the calls
     * @param demultiplexer the name of the demultiplexer, for messages
     * @param port          the port at which requests complete
     * @throws SystemCallException if the system refuses
     */
    public AfdDriver(Binding binding, String demultiplexer, CompletionPort port) throws SystemCallException {
        this.windows = binding.windows();
        this.handle = open(binding, demultiplexer);
        try {
            int result = port.tie(handle);
            if (result < 0) {
                throw new SystemCallException("CreateIoCompletionPort", demultiplexer, WindowsError.toErrno(result));
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private long open(Binding binding, String demultiplexer) throws SystemCallException {
        int attributes = 0;
        int name = attributes + ObjectAttributes.SIZE;
        int status = name + UnicodeString.SIZE;
        int opened = status + IoStatusBlock.SIZE;
        int text = opened + Long.BYTES;
        int textSize = PATH.length() * Character.BYTES;
        try (MemoryBlock memory = binding.memory().allocate(text + textSize)) {
            ByteBuffer at = memory.buffer();
            long address = memory.address();
            for (int i = 0; i < PATH.length(); i++) {
                at.putChar(text + i * Character.BYTES, PATH.charAt(i));
            }
            UnicodeString.set(at, name, textSize, address + text);
            ObjectAttributes.set(at, attributes, address + name);
            int result = windows.NtCreateFile(address + opened, Win32Constants.SYNCHRONIZE, address + attributes,
                    address + status, 0, 0, Win32Constants.FILE_SHARE_READ | Win32Constants.FILE_SHARE_WRITE,
                    Win32Constants.FILE_OPEN, 0, 0, 0);
            if (result < 0) {
                throw new SystemCallException("NtCreateFile", demultiplexer,
                        WindowsError.toErrno(-windows.RtlNtStatusToDosError(result)));
            }
            return at.getLong(opened);
        }
    }

    /**
     * Starts a request.
     *
     * @param request    the address of an {@link AfdPollInfo}
     * @param identifier the number that the packet carries in place of the address of an {@code OVERLAPPED}
     * @return an {@code NTSTATUS}; if it is negative, no packet follows
     */
    public int poll(long request, long identifier) {
        return windows.NtDeviceIoControlFile(handle, 0, 0, identifier, request + AfdPollInfo.STATUS_BLOCK,
                AfdPollInfo.IOCTL_AFD_POLL, request + AfdPollInfo.INFO, AfdPollInfo.INFO_SIZE,
                request + AfdPollInfo.INFO, AfdPollInfo.INFO_SIZE);
    }

    /**
     * Cancels a request, which may have completed already.
     *
     * @param request the address of its {@link AfdPollInfo}
     * @return an {@code NTSTATUS}
     */
    public int cancel(long request) {
        return windows.NtCancelIoFileEx(handle, request + AfdPollInfo.STATUS_BLOCK,
                request + AfdPollInfo.CANCEL_STATUS_BLOCK);
    }

    /** Cancels all requests, given the address of an {@code IO_STATUS_BLOCK}. */
    void cancelAll(long statusBlock) {
        windows.NtCancelIoFileEx(handle, 0, statusBlock);
    }

    @Override
    public void close() {
        windows.CloseHandle(handle);
    }
}
