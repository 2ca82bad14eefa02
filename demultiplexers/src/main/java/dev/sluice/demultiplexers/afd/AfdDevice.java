package dev.sluice.demultiplexers.afd;

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
import java.util.concurrent.atomic.AtomicInteger;

/** The driver of sockets, opened for poll requests, and the completion port that they complete at. */
final class AfdDevice implements AutoCloseable {

    private static final String PATH = "\\Device\\Afd\\Sluice";
    private static final long NONE = 0;
    private static final long INVALID_HANDLE_VALUE = -1;

    private final Windows windows;
    private final String demultiplexer;
    private final AtomicInteger requests = new AtomicInteger();
    private long port;
    private long device;

    AfdDevice(Binding binding, String demultiplexer) throws SystemCallException {
        this.windows = binding.windows();
        this.demultiplexer = demultiplexer;
        try {
            port = require("CreateIoCompletionPort",
                    windows.CreateIoCompletionPort(INVALID_HANDLE_VALUE, NONE, 0, 0));
            device = open(binding);
            require("CreateIoCompletionPort", windows.CreateIoCompletionPort(device, port, 0, 0));
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private long open(Binding binding) throws SystemCallException {
        int attributes = 0;
        int name = attributes + ObjectAttributes.SIZE;
        int status = name + UnicodeString.SIZE;
        int handle = status + IoStatusBlock.SIZE;
        int text = handle + Long.BYTES;
        int textSize = PATH.length() * Character.BYTES;
        try (MemoryBlock memory = binding.memory().allocate(text + textSize)) {
            ByteBuffer at = memory.buffer();
            long address = memory.address();
            for (int i = 0; i < PATH.length(); i++) {
                at.putChar(text + i * Character.BYTES, PATH.charAt(i));
            }
            UnicodeString.set(at, name, textSize, address + text);
            ObjectAttributes.set(at, attributes, address + name);
            int result = windows.NtCreateFile(address + handle, Win32Constants.SYNCHRONIZE, address + attributes,
                    address + status, 0, 0, Win32Constants.FILE_SHARE_READ | Win32Constants.FILE_SHARE_WRITE,
                    Win32Constants.FILE_OPEN, 0, 0, 0);
            if (result < 0) {
                throw new SystemCallException("NtCreateFile", demultiplexer,
                        WindowsError.toErrno(-windows.RtlNtStatusToDosError(result)));
            }
            return at.getLong(handle);
        }
    }

    private long require(String call, long result) throws SystemCallException {
        if (result < 0) {
            throw new SystemCallException(call, demultiplexer, WindowsError.toErrno(result));
        }
        return result;
    }

    /**
     * Starts the request at an address. One packet with this identifier will tell of it, even if it is refused.
     *
     * @return whether it was started
     */
    boolean poll(long request, long identifier) {
        requests.incrementAndGet();
        boolean started = windows.NtDeviceIoControlFile(device, 0, 0, identifier, request + AfdPollInfo.STATUS_BLOCK,
                AfdPollInfo.IOCTL_AFD_POLL, request + AfdPollInfo.INFO, AfdPollInfo.INFO_SIZE,
                request + AfdPollInfo.INFO, AfdPollInfo.INFO_SIZE) >= 0;
        if (!started) {
            post(identifier);
        }
        return started;
    }

    /** The packet of a request has been taken. */
    void completed() {
        requests.decrementAndGet();
    }

    /** {@return whether there are requests whose packets have not been taken} */
    boolean hasRequests() {
        return requests.get() > 0;
    }

    /** Lets the request at an address complete soon; it may have completed already. */
    void cancel(long request) {
        windows.NtCancelIoFileEx(device, request + AfdPollInfo.STATUS_BLOCK, request + AfdPollInfo.CANCEL_STATUS_BLOCK);
    }

    /** Lets all requests complete soon, with memory for an {@code IO_STATUS_BLOCK}. */
    void cancelAll(long statusBlock) {
        windows.NtCancelIoFileEx(device, 0, statusBlock);
    }

    /** Lets a waiter take a packet with this identifier. */
    void post(long identifier) {
        windows.PostQueuedCompletionStatus(port, 0, 0, identifier);
    }

    /**
     * Waits for packets.
     *
     * @return their number, 0 if the time was over, or a negated error number
     */
    int await(PacketArray packets, int timeoutMillis) {
        int result = windows.GetQueuedCompletionStatusEx(port, packets.address(), packets.capacity(),
                packets.countAddress(), timeoutMillis, 0);
        if (result == -WindowsError.WAIT_TIMEOUT) {
            return 0;
        }
        return result < 0 ? WindowsError.toErrno(result) : packets.count();
    }

    @Override
    public void close() {
        if (device != NONE) {
            windows.CloseHandle(device);
        }
        if (port != NONE) {
            windows.CloseHandle(port);
        }
    }
}
