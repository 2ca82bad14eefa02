package dev.sluice.ffm;

import dev.sluice.calls.Windows;

/**
 * {@link Windows} over {@code java.lang.foreign}. On x64 and ARM64 Windows has only one calling convention, so
 * {@code WINAPI} needs no mention here.
 */
final class FfmWindows implements Windows {

    private static final CLibrary WS2_32 = CLibrary.named("ws2_32", Windows.class);
    private static final CLibrary KERNEL32 = CLibrary.named("kernel32", Windows.class);
    private static final CLibrary NTDLL = CLibrary.named("ntdll", Windows.class);

    private static final ForeignFunction WSA_STARTUP = WS2_32.function("WSAStartup", Failure.NUMBER);
    private static final ForeignFunction WSA_SOCKET_W = WS2_32.function("WSASocketW");
    private static final ForeignFunction BIND = WS2_32.function("bind");
    private static final ForeignFunction LISTEN = WS2_32.function("listen");
    private static final ForeignFunction ACCEPT = WS2_32.function("accept");
    private static final ForeignFunction CONNECT = WS2_32.function("connect");
    private static final ForeignFunction GETSOCKNAME = WS2_32.function("getsockname");
    private static final ForeignFunction GETPEERNAME = WS2_32.function("getpeername");
    private static final ForeignFunction GETSOCKOPT = WS2_32.function("getsockopt");
    private static final ForeignFunction SETSOCKOPT = WS2_32.function("setsockopt");
    private static final ForeignFunction IOCTLSOCKET = WS2_32.function("ioctlsocket");
    private static final ForeignFunction WSA_IOCTL = WS2_32.function("WSAIoctl");
    private static final ForeignFunction SHUTDOWN = WS2_32.function("shutdown");
    private static final ForeignFunction CLOSESOCKET = WS2_32.function("closesocket");
    private static final ForeignFunction RECV = WS2_32.function("recv");
    private static final ForeignFunction SEND = WS2_32.function("send");
    private static final ForeignFunction RECVFROM = WS2_32.function("recvfrom");
    private static final ForeignFunction SENDTO = WS2_32.function("sendto");
    private static final ForeignFunction WSA_RECV = WS2_32.function("WSARecv");
    private static final ForeignFunction WSA_SEND = WS2_32.function("WSASend");
    private static final ForeignFunction WSA_RECV_FROM = WS2_32.function("WSARecvFrom");
    private static final ForeignFunction WSA_SEND_TO = WS2_32.function("WSASendTo");
    private static final ForeignFunction SELECT = WS2_32.function("select");
    private static final ForeignFunction WSA_POLL = WS2_32.function("WSAPoll");
    private static final ForeignFunction WSA_EVENT_SELECT = WS2_32.function("WSAEventSelect");
    private static final ForeignFunction WSA_ENUM_NETWORK_EVENTS = WS2_32.function("WSAEnumNetworkEvents");

    private static final ForeignFunction ACCEPT_EX = WS2_32.pointed("AcceptEx", Failure.ZERO);
    private static final ForeignFunction GET_ACCEPT_EX_SOCKADDRS =
            WS2_32.pointed("GetAcceptExSockaddrs", Failure.NEVER);
    private static final ForeignFunction CONNECT_EX = WS2_32.pointed("ConnectEx", Failure.ZERO);
    private static final ForeignFunction TRANSMIT_FILE = WS2_32.pointed("TransmitFile", Failure.ZERO);

    private static final ForeignFunction CREATE_IO_COMPLETION_PORT =
            KERNEL32.function("CreateIoCompletionPort", Failure.ZERO);
    private static final ForeignFunction GET_QUEUED_COMPLETION_STATUS_EX =
            KERNEL32.function("GetQueuedCompletionStatusEx", Failure.ZERO);
    private static final ForeignFunction POST_QUEUED_COMPLETION_STATUS =
            KERNEL32.function("PostQueuedCompletionStatus", Failure.ZERO);
    private static final ForeignFunction SET_FILE_COMPLETION_NOTIFICATION_MODES =
            KERNEL32.function("SetFileCompletionNotificationModes", Failure.ZERO);
    private static final ForeignFunction CANCEL_IO_EX = KERNEL32.function("CancelIoEx", Failure.ZERO);
    private static final ForeignFunction GET_OVERLAPPED_RESULT = KERNEL32.function("GetOverlappedResult", Failure.ZERO);

    private static final ForeignFunction CREATE_FILE_W = KERNEL32.function("CreateFileW");
    private static final ForeignFunction CLOSE_HANDLE = KERNEL32.function("CloseHandle", Failure.ZERO);
    private static final ForeignFunction SET_HANDLE_INFORMATION =
            KERNEL32.function("SetHandleInformation", Failure.ZERO);
    private static final ForeignFunction READ_FILE = KERNEL32.function("ReadFile", Failure.ZERO);
    private static final ForeignFunction WRITE_FILE = KERNEL32.function("WriteFile", Failure.ZERO);
    private static final ForeignFunction FLUSH_FILE_BUFFERS = KERNEL32.function("FlushFileBuffers", Failure.ZERO);
    private static final ForeignFunction GET_FILE_SIZE_EX = KERNEL32.function("GetFileSizeEx", Failure.ZERO);
    private static final ForeignFunction SET_FILE_INFORMATION_BY_HANDLE =
            KERNEL32.function("SetFileInformationByHandle", Failure.ZERO);
    private static final ForeignFunction CREATE_FILE_MAPPING_W = KERNEL32.function("CreateFileMappingW", Failure.ZERO);
    private static final ForeignFunction MAP_VIEW_OF_FILE = KERNEL32.function("MapViewOfFile", Failure.ZERO);
    private static final ForeignFunction FLUSH_VIEW_OF_FILE = KERNEL32.function("FlushViewOfFile", Failure.ZERO);
    private static final ForeignFunction UNMAP_VIEW_OF_FILE = KERNEL32.function("UnmapViewOfFile", Failure.ZERO);

    private static final ForeignFunction CREATE_EVENT_W = KERNEL32.function("CreateEventW", Failure.ZERO);
    private static final ForeignFunction SET_EVENT = KERNEL32.function("SetEvent", Failure.ZERO);
    private static final ForeignFunction RESET_EVENT = KERNEL32.function("ResetEvent", Failure.ZERO);
    private static final ForeignFunction WAIT_FOR_MULTIPLE_OBJECTS = KERNEL32.function("WaitForMultipleObjects");

    private static final ForeignFunction NT_CREATE_FILE = NTDLL.function("NtCreateFile", Failure.STATUS);
    private static final ForeignFunction NT_DEVICE_IO_CONTROL_FILE =
            NTDLL.function("NtDeviceIoControlFile", Failure.STATUS);
    private static final ForeignFunction NT_CANCEL_IO_FILE_EX = NTDLL.function("NtCancelIoFileEx", Failure.STATUS);
    private static final ForeignFunction RTL_NT_STATUS_TO_DOS_ERROR =
            NTDLL.function("RtlNtStatusToDosError", Failure.NEVER);

    @Override
    public int WSAStartup(int version, long data) {
        try {
            return (int) WSA_STARTUP.handle().invokeExact(version, data);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long WSASocketW(int family, int type, int protocol, long protocolInfo, int group, int flags) {
        try {
            return Failure.unlessMinusOne((long) WSA_SOCKET_W.handle().invokeExact(CallState.current(), family, type,
                    protocol, protocolInfo, group, flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int bind(long socket, long address, int addressLength) {
        try {
            return Failure.unlessMinusOne((int) BIND.handle().invokeExact(CallState.current(), socket, address,
                    addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int listen(long socket, int backlog) {
        try {
            return Failure.unlessMinusOne((int) LISTEN.handle().invokeExact(CallState.current(), socket, backlog));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long accept(long socket, long address, long addressLength) {
        try {
            return Failure.unlessMinusOne((long) ACCEPT.handle().invokeExact(CallState.current(), socket, address,
                    addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int connect(long socket, long address, int addressLength) {
        try {
            return Failure.unlessMinusOne((int) CONNECT.handle().invokeExact(CallState.current(), socket, address,
                    addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int getsockname(long socket, long address, long addressLength) {
        try {
            return Failure.unlessMinusOne((int) GETSOCKNAME.handle().invokeExact(CallState.current(), socket, address,
                    addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int getpeername(long socket, long address, long addressLength) {
        try {
            return Failure.unlessMinusOne((int) GETPEERNAME.handle().invokeExact(CallState.current(), socket, address,
                    addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int getsockopt(long socket, int level, int name, long value, long valueLength) {
        try {
            return Failure.unlessMinusOne((int) GETSOCKOPT.handle().invokeExact(CallState.current(), socket, level,
                    name, value, valueLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int setsockopt(long socket, int level, int name, long value, int valueLength) {
        try {
            return Failure.unlessMinusOne((int) SETSOCKOPT.handle().invokeExact(CallState.current(), socket, level,
                    name, value, valueLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int ioctlsocket(long socket, int command, long argument) {
        try {
            return Failure.unlessMinusOne((int) IOCTLSOCKET.handle().invokeExact(CallState.current(), socket, command,
                    argument));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int WSAIoctl(long socket, int code, long input, int inputLength, long output, int outputLength,
                        long returned, long overlapped, long completionRoutine) {
        try {
            return Failure.unlessMinusOne((int) WSA_IOCTL.handle().invokeExact(CallState.current(), socket, code,
                    input, inputLength, output, outputLength, returned, overlapped, completionRoutine));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int shutdown(long socket, int how) {
        try {
            return Failure.unlessMinusOne((int) SHUTDOWN.handle().invokeExact(CallState.current(), socket, how));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int closesocket(long socket) {
        try {
            return Failure.unlessMinusOne((int) CLOSESOCKET.handle().invokeExact(CallState.current(), socket));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int recv(long socket, long buffer, int length, int flags) {
        try {
            return Failure.unlessMinusOne((int) RECV.handle().invokeExact(CallState.current(), socket, buffer, length,
                    flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int send(long socket, long buffer, int length, int flags) {
        try {
            return Failure.unlessMinusOne((int) SEND.handle().invokeExact(CallState.current(), socket, buffer, length,
                    flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int recvfrom(long socket, long buffer, int length, int flags, long address, long addressLength) {
        try {
            return Failure.unlessMinusOne((int) RECVFROM.handle().invokeExact(CallState.current(), socket, buffer,
                    length, flags, address, addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int sendto(long socket, long buffer, int length, int flags, long address, int addressLength) {
        try {
            return Failure.unlessMinusOne((int) SENDTO.handle().invokeExact(CallState.current(), socket, buffer,
                    length, flags, address, addressLength));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int WSARecv(long socket, long buffers, int count, long received, long flags, long overlapped,
                       long completionRoutine) {
        try {
            return Failure.unlessMinusOne((int) WSA_RECV.handle().invokeExact(CallState.current(), socket, buffers,
                    count, received, flags, overlapped, completionRoutine));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int WSASend(long socket, long buffers, int count, long sent, int flags, long overlapped,
                       long completionRoutine) {
        try {
            return Failure.unlessMinusOne((int) WSA_SEND.handle().invokeExact(CallState.current(), socket, buffers,
                    count, sent, flags, overlapped, completionRoutine));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int WSARecvFrom(long socket, long buffers, int count, long received, long flags, long address,
                           long addressLength, long overlapped, long completionRoutine) {
        try {
            return Failure.unlessMinusOne((int) WSA_RECV_FROM.handle().invokeExact(CallState.current(), socket,
                    buffers, count, received, flags, address, addressLength, overlapped, completionRoutine));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int WSASendTo(long socket, long buffers, int count, long sent, int flags, long address, int addressLength,
                         long overlapped, long completionRoutine) {
        try {
            return Failure.unlessMinusOne((int) WSA_SEND_TO.handle().invokeExact(CallState.current(), socket, buffers,
                    count, sent, flags, address, addressLength, overlapped, completionRoutine));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int select(int ignored, long readSet, long writeSet, long exceptSet, long timeout) {
        try {
            return Failure.unlessMinusOne((int) SELECT.handle().invokeExact(CallState.current(), ignored, readSet,
                    writeSet, exceptSet, timeout));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int WSAPoll(long descriptors, int count, int timeoutMillis) {
        try {
            return Failure.unlessMinusOne((int) WSA_POLL.handle().invokeExact(CallState.current(), descriptors, count,
                    timeoutMillis));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int WSAEventSelect(long socket, long event, int networkEvents) {
        try {
            return Failure.unlessMinusOne((int) WSA_EVENT_SELECT.handle().invokeExact(CallState.current(), socket,
                    event, networkEvents));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int WSAEnumNetworkEvents(long socket, long event, long networkEvents) {
        try {
            return Failure.unlessMinusOne((int) WSA_ENUM_NETWORK_EVENTS.handle().invokeExact(CallState.current(),
                    socket, event, networkEvents));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int AcceptEx(long function, long listener, long accepted, long output, int receiveLength, int localLength,
                        int remoteLength, long received, long overlapped) {
        try {
            return Failure.unlessZero((int) ACCEPT_EX.handle().invokeExact(function, CallState.current(), listener,
                    accepted, output, receiveLength, localLength, remoteLength, received, overlapped));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public void GetAcceptExSockaddrs(long function, long output, int receiveLength, int localLength, int remoteLength,
                                     long local, long localSize, long remote, long remoteSize) {
        try {
            GET_ACCEPT_EX_SOCKADDRS.handle().invokeExact(function, output, receiveLength, localLength, remoteLength,
                    local, localSize, remote, remoteSize);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int ConnectEx(long function, long socket, long address, int addressLength, long sendBuffer, int sendLength,
                         long sent, long overlapped) {
        try {
            return Failure.unlessZero((int) CONNECT_EX.handle().invokeExact(function, CallState.current(), socket,
                    address, addressLength, sendBuffer, sendLength, sent, overlapped));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int TransmitFile(long function, long socket, long file, int count, int countPerSend, long overlapped,
                            long buffers, int flags) {
        try {
            return Failure.unlessZero((int) TRANSMIT_FILE.handle().invokeExact(function, CallState.current(), socket,
                    file, count, countPerSend, overlapped, buffers, flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long CreateIoCompletionPort(long file, long existingPort, long key, int concurrency) {
        try {
            return Failure.unlessZero((long) CREATE_IO_COMPLETION_PORT.handle().invokeExact(CallState.current(), file,
                    existingPort, key, concurrency));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int GetQueuedCompletionStatusEx(long port, long entries, int count, long removed, int timeoutMillis,
                                           int alertable) {
        try {
            return Failure.unlessZero((int) GET_QUEUED_COMPLETION_STATUS_EX.handle().invokeExact(CallState.current(),
                    port, entries, count, removed, timeoutMillis, alertable));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int PostQueuedCompletionStatus(long port, int bytes, long key, long overlapped) {
        try {
            return Failure.unlessZero((int) POST_QUEUED_COMPLETION_STATUS.handle().invokeExact(CallState.current(),
                    port, bytes, key, overlapped));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int SetFileCompletionNotificationModes(long file, int flags) {
        try {
            return Failure.unlessZero((int) SET_FILE_COMPLETION_NOTIFICATION_MODES.handle().invokeExact(
                    CallState.current(), file, flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int CancelIoEx(long file, long overlapped) {
        try {
            return Failure.unlessZero((int) CANCEL_IO_EX.handle().invokeExact(CallState.current(), file, overlapped));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int GetOverlappedResult(long file, long overlapped, long transferred, int wait) {
        try {
            return Failure.unlessZero((int) GET_OVERLAPPED_RESULT.handle().invokeExact(CallState.current(), file,
                    overlapped, transferred, wait));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long CreateFileW(long name, int access, int share, long security, int disposition, int flags,
                            long template) {
        try {
            return Failure.unlessMinusOne((long) CREATE_FILE_W.handle().invokeExact(CallState.current(), name, access,
                    share, security, disposition, flags, template));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int CloseHandle(long handle) {
        try {
            return Failure.unlessZero((int) CLOSE_HANDLE.handle().invokeExact(CallState.current(), handle));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int SetHandleInformation(long handle, int mask, int flags) {
        try {
            return Failure.unlessZero((int) SET_HANDLE_INFORMATION.handle().invokeExact(CallState.current(), handle,
                    mask, flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int ReadFile(long file, long buffer, int length, long read, long overlapped) {
        try {
            return Failure.unlessZero((int) READ_FILE.handle().invokeExact(CallState.current(), file, buffer, length,
                    read, overlapped));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int WriteFile(long file, long buffer, int length, long written, long overlapped) {
        try {
            return Failure.unlessZero((int) WRITE_FILE.handle().invokeExact(CallState.current(), file, buffer, length,
                    written, overlapped));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int FlushFileBuffers(long file) {
        try {
            return Failure.unlessZero((int) FLUSH_FILE_BUFFERS.handle().invokeExact(CallState.current(), file));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int GetFileSizeEx(long file, long size) {
        try {
            return Failure.unlessZero((int) GET_FILE_SIZE_EX.handle().invokeExact(CallState.current(), file, size));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int SetFileInformationByHandle(long file, int informationClass, long information, int length) {
        try {
            return Failure.unlessZero((int) SET_FILE_INFORMATION_BY_HANDLE.handle().invokeExact(CallState.current(),
                    file, informationClass, information, length));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long CreateFileMappingW(long file, long security, int protection, int sizeHigh, int sizeLow, long name) {
        try {
            return Failure.unlessZero((long) CREATE_FILE_MAPPING_W.handle().invokeExact(CallState.current(), file,
                    security, protection, sizeHigh, sizeLow, name));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long MapViewOfFile(long mapping, int access, int offsetHigh, int offsetLow, long length) {
        try {
            return Failure.unlessZero((long) MAP_VIEW_OF_FILE.handle().invokeExact(CallState.current(), mapping,
                    access, offsetHigh, offsetLow, length));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int FlushViewOfFile(long address, long length) {
        try {
            return Failure.unlessZero((int) FLUSH_VIEW_OF_FILE.handle().invokeExact(CallState.current(), address,
                    length));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int UnmapViewOfFile(long address) {
        try {
            return Failure.unlessZero((int) UNMAP_VIEW_OF_FILE.handle().invokeExact(CallState.current(), address));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long CreateEventW(long security, int manualReset, int initialState, long name) {
        try {
            return Failure.unlessZero((long) CREATE_EVENT_W.handle().invokeExact(CallState.current(), security,
                    manualReset, initialState, name));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int SetEvent(long event) {
        try {
            return Failure.unlessZero((int) SET_EVENT.handle().invokeExact(CallState.current(), event));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int ResetEvent(long event) {
        try {
            return Failure.unlessZero((int) RESET_EVENT.handle().invokeExact(CallState.current(), event));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int WaitForMultipleObjects(int count, long handles, int waitAll, int timeoutMillis) {
        try {
            return Failure.unlessMinusOne((int) WAIT_FOR_MULTIPLE_OBJECTS.handle().invokeExact(CallState.current(),
                    count, handles, waitAll, timeoutMillis));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int NtCreateFile(long file, int access, long attributes, long ioStatus, long allocationSize,
                            int fileAttributes, int share, int disposition, int options, long extendedAttributes,
                            int extendedLength) {
        try {
            return (int) NT_CREATE_FILE.handle().invokeExact(file, access, attributes, ioStatus, allocationSize,
                    fileAttributes, share, disposition, options, extendedAttributes, extendedLength);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int NtDeviceIoControlFile(long file, long event, long apcRoutine, long apcContext, long ioStatus, int code,
                                     long input, int inputLength, long output, int outputLength) {
        try {
            return (int) NT_DEVICE_IO_CONTROL_FILE.handle().invokeExact(file, event, apcRoutine, apcContext, ioStatus,
                    code, input, inputLength, output, outputLength);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int NtCancelIoFileEx(long file, long ioStatusToCancel, long ioStatus) {
        try {
            return (int) NT_CANCEL_IO_FILE_EX.handle().invokeExact(file, ioStatusToCancel, ioStatus);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int RtlNtStatusToDosError(int status) {
        try {
            return (int) RTL_NT_STATUS_TO_DOS_ERROR.handle().invokeExact(status);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }
}
