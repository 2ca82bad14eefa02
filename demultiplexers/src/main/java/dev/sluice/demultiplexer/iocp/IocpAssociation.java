package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.demultiplexer.afd.CompletionPort;
import dev.sluice.demultiplexer.operation.CallMemory;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.OperationProcessor;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;

/** The operations of a handle, and properties of the handle. Used only inside. */
final class IocpAssociation extends HandleAssociation {

    private static final int UNKNOWN = -1;

    private final TiedHandles tied;
    private boolean isTied;
    private boolean modesAreSet;
    private boolean skipsPackets;
    private int family = UNKNOWN;

    /**
     * Creates an association, and associates the handle with the port.
     *
     * @throws IOException if the system refuses, or the handle is closed
     */
    IocpAssociation(OperationProcessor processor, Handle handle, CompletionPort port, TiedHandles tied)
            throws IOException {
        super(processor, handle);
        this.tied = tied;
        try {
            int result = port.tie(descriptor());
            boolean isTiedAlready = result == -WindowsError.ERROR_INVALID_PARAMETER;
            if (isTiedAlready && !tied.contains(handle)) {
                throw new IOException(handle
                        + " is associated with another completion port until it is closed");
            }
            if (result < 0 && !isTiedAlready) {
                throw new SystemCallException("CreateIoCompletionPort", handle.toString(),
                        WindowsError.toErrno(result));
            }
            isTied = true;
        } catch (Throwable e) {
            // Nothing else would release the handle.
            abandon();
            throw e;
        }
    }

    @Override
    protected void ending() {
        if (isTied) {
            tied.add(handle());
        }
    }

    /** {@return whether a call that succeeds immediately queues no packet} */
    boolean skipsPackets() {
        return skipsPackets;
    }

    /** Makes calls that succeed immediately queue no packet, if the system accepts that. */
    void skipPackets(Windows windows) {
        if (!modesAreSet) {
            modesAreSet = true;
            // If the system refuses, each call queues a packet.
            skipsPackets = windows.SetFileCompletionNotificationModes(descriptor(),
                    Win32Constants.FILE_SKIP_COMPLETION_PORT_ON_SUCCESS
                            | Win32Constants.FILE_SKIP_SET_EVENT_ON_HANDLE) >= 0;
        }
    }

    /**
     * Determines the address family of a listening socket.
     *
     * @param memory the memory of an accept on the socket
     * @return the family, or a negated error number
     */
    int family(Windows windows, CallMemory memory) {
        if (family == UNKNOWN) {
            int lengthAt = memory.structureAt() + SockaddrStorage.SIZE;
            memory.structure().putInt(lengthAt, SockaddrStorage.SIZE);
            int result = windows.getsockname(descriptor(), memory.structureAddress(),
                    memory.structureAddress() + SockaddrStorage.SIZE);
            if (result < 0) {
                return WindowsError.toErrno(result);
            }
            family = SockaddrStorage.family(memory.structure(), memory.structureAt());
        }
        return family;
    }
}
