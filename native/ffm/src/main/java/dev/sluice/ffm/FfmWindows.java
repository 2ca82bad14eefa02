package dev.sluice.ffm;

import static dev.sluice.ffm.ForeignFunction.unlessMinusOne;
import static dev.sluice.ffm.ForeignFunction.unlessZero;

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
    private static final ForeignFunction LOCK_FILE_EX = KERNEL32.function("LockFileEx", Failure.ZERO);
    private static final ForeignFunction UNLOCK_FILE_EX = KERNEL32.function("UnlockFileEx", Failure.ZERO);
    private static final ForeignFunction FLUSH_FILE_BUFFERS = KERNEL32.function("FlushFileBuffers", Failure.ZERO);
    private static final ForeignFunction GET_FINAL_PATH_NAME_BY_HANDLE_W =
            KERNEL32.function("GetFinalPathNameByHandleW", Failure.ZERO);
    private static final ForeignFunction GET_FILE_SIZE_EX = KERNEL32.function("GetFileSizeEx", Failure.ZERO);
    private static final ForeignFunction GET_FILE_INFORMATION_BY_HANDLE_EX =
            KERNEL32.function("GetFileInformationByHandleEx", Failure.ZERO);
    private static final ForeignFunction SET_FILE_INFORMATION_BY_HANDLE =
            KERNEL32.function("SetFileInformationByHandle", Failure.ZERO);
    private static final ForeignFunction DEVICE_IO_CONTROL = KERNEL32.function("DeviceIoControl", Failure.ZERO);
    private static final ForeignFunction CREATE_FILE_MAPPING_W = KERNEL32.function("CreateFileMappingW", Failure.ZERO);
    private static final ForeignFunction MAP_VIEW_OF_FILE = KERNEL32.function("MapViewOfFile", Failure.ZERO);
    private static final ForeignFunction FLUSH_VIEW_OF_FILE = KERNEL32.function("FlushViewOfFile", Failure.ZERO);
    private static final ForeignFunction UNMAP_VIEW_OF_FILE = KERNEL32.function("UnmapViewOfFile", Failure.ZERO);

    private static final ForeignFunction CREATE_EVENT_W = KERNEL32.function("CreateEventW", Failure.ZERO);
    private static final ForeignFunction SET_EVENT = KERNEL32.function("SetEvent", Failure.ZERO);
    private static final ForeignFunction WAIT_FOR_MULTIPLE_OBJECTS = KERNEL32.function("WaitForMultipleObjects");

    private static final ForeignFunction GET_MODULE_HANDLE_W = KERNEL32.function("GetModuleHandleW", Failure.ZERO);
    private static final ForeignFunction GET_PROC_ADDRESS = KERNEL32.function("GetProcAddress", Failure.ZERO);

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
        return unlessMinusOne(WSA_SOCKET_W.call(family, type, protocol, protocolInfo, group, flags));
    }

    @Override
    public int bind(long socket, long address, int addressLength) {
        return unlessMinusOne((int) BIND.call(socket, address, addressLength));
    }

    @Override
    public int listen(long socket, int backlog) {
        return unlessMinusOne((int) LISTEN.call(socket, backlog));
    }

    @Override
    public long accept(long socket, long address, long addressLength) {
        return unlessMinusOne(ACCEPT.call(socket, address, addressLength));
    }

    @Override
    public int connect(long socket, long address, int addressLength) {
        return unlessMinusOne((int) CONNECT.call(socket, address, addressLength));
    }

    @Override
    public int getsockname(long socket, long address, long addressLength) {
        return unlessMinusOne((int) GETSOCKNAME.call(socket, address, addressLength));
    }

    @Override
    public int getpeername(long socket, long address, long addressLength) {
        return unlessMinusOne((int) GETPEERNAME.call(socket, address, addressLength));
    }

    @Override
    public int getsockopt(long socket, int level, int name, long value, long valueLength) {
        return unlessMinusOne((int) GETSOCKOPT.call(socket, level, name, value, valueLength));
    }

    @Override
    public int setsockopt(long socket, int level, int name, long value, int valueLength) {
        return unlessMinusOne((int) SETSOCKOPT.call(socket, level, name, value, valueLength));
    }

    @Override
    public int ioctlsocket(long socket, int command, long argument) {
        return unlessMinusOne((int) IOCTLSOCKET.call(socket, command, argument));
    }

    @Override
    public int WSAIoctl(long socket, int code, long input, int inputLength, long output, int outputLength,
                        long returned, long overlapped, long completionRoutine) {
        return unlessMinusOne((int) WSA_IOCTL.call(socket, code, input, inputLength, output, outputLength,
                returned, overlapped, completionRoutine));
    }

    @Override
    public int shutdown(long socket, int how) {
        return unlessMinusOne((int) SHUTDOWN.call(socket, how));
    }

    @Override
    public int closesocket(long socket) {
        return unlessMinusOne((int) CLOSESOCKET.call(socket));
    }

    @Override
    public int recv(long socket, long buffer, int length, int flags) {
        return unlessMinusOne((int) RECV.call(socket, buffer, length, flags));
    }

    @Override
    public int send(long socket, long buffer, int length, int flags) {
        return unlessMinusOne((int) SEND.call(socket, buffer, length, flags));
    }

    @Override
    public int recvfrom(long socket, long buffer, int length, int flags, long address, long addressLength) {
        return unlessMinusOne((int) RECVFROM.call(socket, buffer, length, flags, address, addressLength));
    }

    @Override
    public int sendto(long socket, long buffer, int length, int flags, long address, int addressLength) {
        return unlessMinusOne((int) SENDTO.call(socket, buffer, length, flags, address, addressLength));
    }

    @Override
    public int WSARecv(long socket, long buffers, int count, long received, long flags, long overlapped,
                       long completionRoutine) {
        return unlessMinusOne((int) WSA_RECV.call(socket, buffers, count, received, flags, overlapped,
                completionRoutine));
    }

    @Override
    public int WSASend(long socket, long buffers, int count, long sent, int flags, long overlapped,
                       long completionRoutine) {
        return unlessMinusOne((int) WSA_SEND.call(socket, buffers, count, sent, flags, overlapped,
                completionRoutine));
    }

    @Override
    public int WSARecvFrom(long socket, long buffers, int count, long received, long flags, long address,
                           long addressLength, long overlapped, long completionRoutine) {
        return unlessMinusOne((int) WSA_RECV_FROM.call(socket, buffers, count, received, flags, address,
                addressLength, overlapped, completionRoutine));
    }

    @Override
    public int WSASendTo(long socket, long buffers, int count, long sent, int flags, long address, int addressLength,
                         long overlapped, long completionRoutine) {
        return unlessMinusOne((int) WSA_SEND_TO.call(socket, buffers, count, sent, flags, address,
                addressLength, overlapped, completionRoutine));
    }

    @Override
    public int select(int ignored, long readSet, long writeSet, long exceptSet, long timeout) {
        return unlessMinusOne((int) SELECT.call(ignored, readSet, writeSet, exceptSet, timeout));
    }

    @Override
    public int WSAPoll(long descriptors, int count, int timeoutMillis) {
        return unlessMinusOne((int) WSA_POLL.call(descriptors, count, timeoutMillis));
    }

    @Override
    public int WSAEventSelect(long socket, long event, int networkEvents) {
        return unlessMinusOne((int) WSA_EVENT_SELECT.call(socket, event, networkEvents));
    }

    @Override
    public int WSAEnumNetworkEvents(long socket, long event, long networkEvents) {
        return unlessMinusOne((int) WSA_ENUM_NETWORK_EVENTS.call(socket, event, networkEvents));
    }

    @Override
    public int AcceptEx(long function, long listener, long accepted, long output, int receiveLength, int localLength,
                        int remoteLength, long received, long overlapped) {
        try {
            return unlessZero((int) ACCEPT_EX.handle().invokeExact(function, CallState.CURRENT.get(), listener,
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
            return unlessZero((int) CONNECT_EX.handle().invokeExact(function, CallState.CURRENT.get(), socket,
                    address, addressLength, sendBuffer, sendLength, sent, overlapped));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public int TransmitFile(long function, long socket, long file, int count, int countPerSend, long overlapped,
                            long buffers, int flags) {
        try {
            return unlessZero((int) TRANSMIT_FILE.handle().invokeExact(function, CallState.CURRENT.get(), socket,
                    file, count, countPerSend, overlapped, buffers, flags));
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    @Override
    public long CreateIoCompletionPort(long file, long existingPort, long key, int concurrency) {
        return unlessZero(CREATE_IO_COMPLETION_PORT.call(file, existingPort, key, concurrency));
    }

    @Override
    public int GetQueuedCompletionStatusEx(long port, long entries, int count, long removed, int timeoutMillis,
                                           int alertable) {
        return unlessZero((int) GET_QUEUED_COMPLETION_STATUS_EX.call(port, entries, count, removed,
                timeoutMillis, alertable));
    }

    @Override
    public int PostQueuedCompletionStatus(long port, int bytes, long key, long overlapped) {
        return unlessZero((int) POST_QUEUED_COMPLETION_STATUS.call(port, bytes, key, overlapped));
    }

    @Override
    public int SetFileCompletionNotificationModes(long file, int flags) {
        return unlessZero((int) SET_FILE_COMPLETION_NOTIFICATION_MODES.call(file, flags));
    }

    @Override
    public int CancelIoEx(long file, long overlapped) {
        return unlessZero((int) CANCEL_IO_EX.call(file, overlapped));
    }

    @Override
    public int GetOverlappedResult(long file, long overlapped, long transferred, int wait) {
        return unlessZero((int) GET_OVERLAPPED_RESULT.call(file, overlapped, transferred, wait));
    }

    @Override
    public long CreateFileW(long name, int access, int share, long security, int disposition, int flags,
                            long template) {
        return unlessMinusOne(CREATE_FILE_W.call(name, access, share, security, disposition, flags, template));
    }

    @Override
    public int CloseHandle(long handle) {
        return unlessZero((int) CLOSE_HANDLE.call(handle));
    }

    @Override
    public int SetHandleInformation(long handle, int mask, int flags) {
        return unlessZero((int) SET_HANDLE_INFORMATION.call(handle, mask, flags));
    }

    @Override
    public int ReadFile(long file, long buffer, int length, long read, long overlapped) {
        return unlessZero((int) READ_FILE.call(file, buffer, length, read, overlapped));
    }

    @Override
    public int WriteFile(long file, long buffer, int length, long written, long overlapped) {
        return unlessZero((int) WRITE_FILE.call(file, buffer, length, written, overlapped));
    }

    @Override
    public int LockFileEx(long file, int flags, int reserved, int lengthLow, int lengthHigh, long overlapped) {
        return unlessZero((int) LOCK_FILE_EX.call(file, flags, reserved, lengthLow, lengthHigh, overlapped));
    }

    @Override
    public int UnlockFileEx(long file, int reserved, int lengthLow, int lengthHigh, long overlapped) {
        return unlessZero((int) UNLOCK_FILE_EX.call(file, reserved, lengthLow, lengthHigh, overlapped));
    }

    @Override
    public int FlushFileBuffers(long file) {
        return unlessZero((int) FLUSH_FILE_BUFFERS.call(file));
    }

    @Override
    public int GetFileSizeEx(long file, long size) {
        return unlessZero((int) GET_FILE_SIZE_EX.call(file, size));
    }

    @Override
    public int GetFinalPathNameByHandleW(long file, long path, int length, int flags) {
        return unlessZero((int) GET_FINAL_PATH_NAME_BY_HANDLE_W.call(file, path, length, flags));
    }

    @Override
    public int GetFileInformationByHandleEx(long file, int informationClass, long information, int length) {
        return unlessZero((int) GET_FILE_INFORMATION_BY_HANDLE_EX.call(file, informationClass, information,
                length));
    }

    @Override
    public int SetFileInformationByHandle(long file, int informationClass, long information, int length) {
        return unlessZero((int) SET_FILE_INFORMATION_BY_HANDLE.call(file, informationClass, information,
                length));
    }

    @Override
    public int DeviceIoControl(long file, int code, long input, int inputLength, long output, int outputLength,
                               long returned, long overlapped) {
        return unlessZero((int) DEVICE_IO_CONTROL.call(file, code, input, inputLength, output, outputLength, returned,
                overlapped));
    }

    @Override
    public long CreateFileMappingW(long file, long security, int protection, int sizeHigh, int sizeLow, long name) {
        return unlessZero(CREATE_FILE_MAPPING_W.call(file, security, protection, sizeHigh, sizeLow, name));
    }

    @Override
    public long MapViewOfFile(long mapping, int access, int offsetHigh, int offsetLow, long length) {
        return unlessZero(MAP_VIEW_OF_FILE.call(mapping, access, offsetHigh, offsetLow, length));
    }

    @Override
    public int FlushViewOfFile(long address, long length) {
        return unlessZero((int) FLUSH_VIEW_OF_FILE.call(address, length));
    }

    @Override
    public int UnmapViewOfFile(long address) {
        return unlessZero((int) UNMAP_VIEW_OF_FILE.call(address));
    }

    @Override
    public long CreateEventW(long security, int manualReset, int initialState, long name) {
        return unlessZero(CREATE_EVENT_W.call(security, manualReset, initialState, name));
    }

    @Override
    public int SetEvent(long event) {
        return unlessZero((int) SET_EVENT.call(event));
    }

    @Override
    public int WaitForMultipleObjects(int count, long handles, int waitAll, int timeoutMillis) {
        return unlessMinusOne((int) WAIT_FOR_MULTIPLE_OBJECTS.call(count, handles, waitAll, timeoutMillis));
    }

    @Override
    public long GetModuleHandleW(long name) {
        return unlessZero(GET_MODULE_HANDLE_W.call(name));
    }

    @Override
    public long GetProcAddress(long module, long name) {
        return unlessZero(GET_PROC_ADDRESS.call(module, name));
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
