package dev.sluice.jna;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.sluice.calls.Windows;

/**
 * {@link Windows} over JNA: direct mapping, one class per library. On x64 and ARM64 Windows has one calling convention,
 * so {@code WINAPI} (formerly stdcall) needs no mention here. Every Windows that Java 17 runs on exports all of these
 * functions, so none can be missing.
 *
 * <p>Direct mapping cannot call through a pointer. But mswsock also exports three of the four extension functions, for
 * the sockets of any provider, so the caller's pointer is not needed.
 */
final class JnaWindows implements Windows {

    private static final class Ws2_32 {

        static {
            Native.register(Ws2_32.class, "ws2_32");
        }

        static native int WSAStartup(int version, long data);

        static native long WSASocketW(int family, int type, int protocol, long protocolInfo, int group, int flags);

        static native int bind(long socket, long address, int addressLength);

        static native int listen(long socket, int backlog);

        static native long accept(long socket, long address, long addressLength);

        static native int connect(long socket, long address, int addressLength);

        static native int getsockname(long socket, long address, long addressLength);

        static native int getpeername(long socket, long address, long addressLength);

        static native int getsockopt(long socket, int level, int name, long value, long valueLength);

        static native int setsockopt(long socket, int level, int name, long value, int valueLength);

        static native int ioctlsocket(long socket, int command, long argument);

        static native int WSAIoctl(long socket, int code, long input, int inputLength, long output, int outputLength,
                                   long returned, long overlapped, long completionRoutine);

        static native int shutdown(long socket, int how);

        static native int closesocket(long socket);

        static native int recv(long socket, long buffer, int length, int flags);

        static native int send(long socket, long buffer, int length, int flags);

        static native int recvfrom(long socket, long buffer, int length, int flags, long address, long addressLength);

        static native int sendto(long socket, long buffer, int length, int flags, long address, int addressLength);

        static native int WSARecv(long socket, long buffers, int count, long received, long flags, long overlapped,
                                  long completionRoutine);

        static native int WSASend(long socket, long buffers, int count, long sent, int flags, long overlapped,
                                  long completionRoutine);

        static native int WSARecvFrom(long socket, long buffers, int count, long received, long flags, long address,
                                      long addressLength, long overlapped, long completionRoutine);

        static native int WSASendTo(long socket, long buffers, int count, long sent, int flags, long address,
                                    int addressLength, long overlapped, long completionRoutine);

        static native int select(int ignored, long readSet, long writeSet, long exceptSet, long timeout);

        static native int WSAPoll(long descriptors, int count, int timeoutMillis);

        static native int WSAEventSelect(long socket, long event, int networkEvents);

        static native int WSAEnumNetworkEvents(long socket, long event, long networkEvents);
    }

    private static final class Mswsock {

        static {
            Native.register(Mswsock.class, "mswsock");
        }

        static native int AcceptEx(long listener, long accepted, long output, int receiveLength, int localLength,
                                   int remoteLength, long received, long overlapped);

        static native void GetAcceptExSockaddrs(long output, int receiveLength, int localLength, int remoteLength,
                                                long local, long localSize, long remote, long remoteSize);

        static native int TransmitFile(long socket, long file, int count, int countPerSend, long overlapped,
                                       long buffers, int flags);
    }

    private static final class Kernel32 {

        static {
            Native.register(Kernel32.class, "kernel32");
        }

        static native long CreateIoCompletionPort(long file, long existingPort, long key, int concurrency);

        static native int GetQueuedCompletionStatusEx(long port, long entries, int count, long removed,
                                                      int timeoutMillis, int alertable);

        static native int PostQueuedCompletionStatus(long port, int bytes, long key, long overlapped);

        static native int SetFileCompletionNotificationModes(long file, int flags);

        static native int CancelIoEx(long file, long overlapped);

        static native int GetOverlappedResult(long file, long overlapped, long transferred, int wait);

        static native long CreateFileW(long name, int access, int share, long security, int disposition, int flags,
                                       long template);

        static native int CloseHandle(long handle);

        static native int SetHandleInformation(long handle, int mask, int flags);

        static native int ReadFile(long file, long buffer, int length, long read, long overlapped);

        static native int WriteFile(long file, long buffer, int length, long written, long overlapped);

        static native int LockFileEx(long file, int flags, int reserved, int lengthLow, int lengthHigh,
                                     long overlapped);

        static native int UnlockFileEx(long file, int reserved, int lengthLow, int lengthHigh, long overlapped);

        static native int FlushFileBuffers(long file);

        static native int GetFileSizeEx(long file, long size);

        static native int GetFinalPathNameByHandleW(long file, long path, int length, int flags);

        static native int GetFileInformationByHandleEx(long file, int informationClass, long information, int length);

        static native int SetFileInformationByHandle(long file, int informationClass, long information, int length);

        static native int DeviceIoControl(long file, int code, long input, int inputLength, long output,
                                          int outputLength, long returned, long overlapped);

        static native long CreateFileMappingW(long file, long security, int protection, int sizeHigh, int sizeLow,
                                              long name);

        static native long MapViewOfFile(long mapping, int access, int offsetHigh, int offsetLow, long length);

        static native int FlushViewOfFile(long address, long length);

        static native int UnmapViewOfFile(long address);

        static native long CreateEventW(long security, int manualReset, int initialState, long name);

        static native int SetEvent(long event);

        static native int WaitForMultipleObjects(int count, long handles, int waitAll, int timeoutMillis);

        static native long GetModuleHandleW(long name);

        static native long GetProcAddress(long module, long name);
    }

    private static final class Ntdll {

        static {
            Native.register(Ntdll.class, "ntdll");
        }

        static native int NtCreateFile(long file, int access, long attributes, long ioStatus, long allocationSize,
                                       int fileAttributes, int share, int disposition, int options,
                                       long extendedAttributes, int extendedLength);

        static native int NtDeviceIoControlFile(long file, long event, long apcRoutine, long apcContext, long ioStatus,
                                                int code, long input, int inputLength, long output, int outputLength);

        static native int NtCancelIoFileEx(long file, long ioStatusToCancel, long ioStatus);

        static native int RtlNtStatusToDosError(int status);
    }

    @Override
    public int WSAStartup(int version, long data) {
        return -Ws2_32.WSAStartup(version, data);
    }

    @Override
    public long WSASocketW(int family, int type, int protocol, long protocolInfo, int group, int flags) {
        return unlessMinusOne(Ws2_32.WSASocketW(family, type, protocol, protocolInfo, group, flags));
    }

    @Override
    public int bind(long socket, long address, int addressLength) {
        return unlessMinusOne(Ws2_32.bind(socket, address, addressLength));
    }

    @Override
    public int listen(long socket, int backlog) {
        return unlessMinusOne(Ws2_32.listen(socket, backlog));
    }

    @Override
    public long accept(long socket, long address, long addressLength) {
        return unlessMinusOne(Ws2_32.accept(socket, address, addressLength));
    }

    @Override
    public int connect(long socket, long address, int addressLength) {
        return unlessMinusOne(Ws2_32.connect(socket, address, addressLength));
    }

    @Override
    public int getsockname(long socket, long address, long addressLength) {
        return unlessMinusOne(Ws2_32.getsockname(socket, address, addressLength));
    }

    @Override
    public int getpeername(long socket, long address, long addressLength) {
        return unlessMinusOne(Ws2_32.getpeername(socket, address, addressLength));
    }

    @Override
    public int getsockopt(long socket, int level, int name, long value, long valueLength) {
        return unlessMinusOne(Ws2_32.getsockopt(socket, level, name, value, valueLength));
    }

    @Override
    public int setsockopt(long socket, int level, int name, long value, int valueLength) {
        return unlessMinusOne(Ws2_32.setsockopt(socket, level, name, value, valueLength));
    }

    @Override
    public int ioctlsocket(long socket, int command, long argument) {
        return unlessMinusOne(Ws2_32.ioctlsocket(socket, command, argument));
    }

    @Override
    public int WSAIoctl(long socket, int code, long input, int inputLength, long output, int outputLength,
                        long returned, long overlapped, long completionRoutine) {
        return unlessMinusOne(Ws2_32.WSAIoctl(socket, code, input, inputLength, output, outputLength, returned,
                overlapped, completionRoutine));
    }

    @Override
    public int shutdown(long socket, int how) {
        return unlessMinusOne(Ws2_32.shutdown(socket, how));
    }

    @Override
    public int closesocket(long socket) {
        return unlessMinusOne(Ws2_32.closesocket(socket));
    }

    @Override
    public int recv(long socket, long buffer, int length, int flags) {
        return unlessMinusOne(Ws2_32.recv(socket, buffer, length, flags));
    }

    @Override
    public int send(long socket, long buffer, int length, int flags) {
        return unlessMinusOne(Ws2_32.send(socket, buffer, length, flags));
    }

    @Override
    public int recvfrom(long socket, long buffer, int length, int flags, long address, long addressLength) {
        return unlessMinusOne(Ws2_32.recvfrom(socket, buffer, length, flags, address, addressLength));
    }

    @Override
    public int sendto(long socket, long buffer, int length, int flags, long address, int addressLength) {
        return unlessMinusOne(Ws2_32.sendto(socket, buffer, length, flags, address, addressLength));
    }

    @Override
    public int WSARecv(long socket, long buffers, int count, long received, long flags, long overlapped,
                       long completionRoutine) {
        return unlessMinusOne(Ws2_32.WSARecv(socket, buffers, count, received, flags, overlapped, completionRoutine));
    }

    @Override
    public int WSASend(long socket, long buffers, int count, long sent, int flags, long overlapped,
                       long completionRoutine) {
        return unlessMinusOne(Ws2_32.WSASend(socket, buffers, count, sent, flags, overlapped, completionRoutine));
    }

    @Override
    public int WSARecvFrom(long socket, long buffers, int count, long received, long flags, long address,
                           long addressLength, long overlapped, long completionRoutine) {
        return unlessMinusOne(Ws2_32.WSARecvFrom(socket, buffers, count, received, flags, address, addressLength,
                overlapped, completionRoutine));
    }

    @Override
    public int WSASendTo(long socket, long buffers, int count, long sent, int flags, long address, int addressLength,
                         long overlapped, long completionRoutine) {
        return unlessMinusOne(Ws2_32.WSASendTo(socket, buffers, count, sent, flags, address, addressLength,
                overlapped, completionRoutine));
    }

    @Override
    public int select(int ignored, long readSet, long writeSet, long exceptSet, long timeout) {
        return unlessMinusOne(Ws2_32.select(ignored, readSet, writeSet, exceptSet, timeout));
    }

    @Override
    public int WSAPoll(long descriptors, int count, int timeoutMillis) {
        return unlessMinusOne(Ws2_32.WSAPoll(descriptors, count, timeoutMillis));
    }

    @Override
    public int WSAEventSelect(long socket, long event, int networkEvents) {
        return unlessMinusOne(Ws2_32.WSAEventSelect(socket, event, networkEvents));
    }

    @Override
    public int WSAEnumNetworkEvents(long socket, long event, long networkEvents) {
        return unlessMinusOne(Ws2_32.WSAEnumNetworkEvents(socket, event, networkEvents));
    }

    @Override
    public int AcceptEx(long function, long listener, long accepted, long output, int receiveLength, int localLength,
                        int remoteLength, long received, long overlapped) {
        return unlessZero(Mswsock.AcceptEx(listener, accepted, output, receiveLength, localLength, remoteLength,
                received, overlapped));
    }

    @Override
    public void GetAcceptExSockaddrs(long function, long output, int receiveLength, int localLength, int remoteLength,
                                     long local, long localSize, long remote, long remoteSize) {
        Mswsock.GetAcceptExSockaddrs(output, receiveLength, localLength, remoteLength, local, localSize, remote,
                remoteSize);
    }

    @Override
    public int ConnectEx(long function, long socket, long address, int addressLength, long sendBuffer, int sendLength,
                         long sent, long overlapped) {
        // Not exported. Boxes its arguments, once per connection.
        return unlessZero(Function.getFunction(new Pointer(function)).invokeInt(new Object[] {
                socket, address, addressLength, sendBuffer, sendLength, sent, overlapped}));
    }

    @Override
    public int TransmitFile(long function, long socket, long file, int count, int countPerSend, long overlapped,
                            long buffers, int flags) {
        return unlessZero(Mswsock.TransmitFile(socket, file, count, countPerSend, overlapped, buffers, flags));
    }

    @Override
    public long CreateIoCompletionPort(long file, long existingPort, long key, int concurrency) {
        return unlessZero(Kernel32.CreateIoCompletionPort(file, existingPort, key, concurrency));
    }

    @Override
    public int GetQueuedCompletionStatusEx(long port, long entries, int count, long removed, int timeoutMillis,
                                           int alertable) {
        return unlessZero(Kernel32.GetQueuedCompletionStatusEx(port, entries, count, removed, timeoutMillis,
                alertable));
    }

    @Override
    public int PostQueuedCompletionStatus(long port, int bytes, long key, long overlapped) {
        return unlessZero(Kernel32.PostQueuedCompletionStatus(port, bytes, key, overlapped));
    }

    @Override
    public int SetFileCompletionNotificationModes(long file, int flags) {
        return unlessZero(Kernel32.SetFileCompletionNotificationModes(file, flags));
    }

    @Override
    public int CancelIoEx(long file, long overlapped) {
        return unlessZero(Kernel32.CancelIoEx(file, overlapped));
    }

    @Override
    public int GetOverlappedResult(long file, long overlapped, long transferred, int wait) {
        return unlessZero(Kernel32.GetOverlappedResult(file, overlapped, transferred, wait));
    }

    @Override
    public long CreateFileW(long name, int access, int share, long security, int disposition, int flags,
                            long template) {
        return unlessMinusOne(Kernel32.CreateFileW(name, access, share, security, disposition, flags, template));
    }

    @Override
    public int CloseHandle(long handle) {
        return unlessZero(Kernel32.CloseHandle(handle));
    }

    @Override
    public int SetHandleInformation(long handle, int mask, int flags) {
        return unlessZero(Kernel32.SetHandleInformation(handle, mask, flags));
    }

    @Override
    public int ReadFile(long file, long buffer, int length, long read, long overlapped) {
        return unlessZero(Kernel32.ReadFile(file, buffer, length, read, overlapped));
    }

    @Override
    public int WriteFile(long file, long buffer, int length, long written, long overlapped) {
        return unlessZero(Kernel32.WriteFile(file, buffer, length, written, overlapped));
    }

    @Override
    public int LockFileEx(long file, int flags, int reserved, int lengthLow, int lengthHigh, long overlapped) {
        return unlessZero(Kernel32.LockFileEx(file, flags, reserved, lengthLow, lengthHigh, overlapped));
    }

    @Override
    public int UnlockFileEx(long file, int reserved, int lengthLow, int lengthHigh, long overlapped) {
        return unlessZero(Kernel32.UnlockFileEx(file, reserved, lengthLow, lengthHigh, overlapped));
    }

    @Override
    public int FlushFileBuffers(long file) {
        return unlessZero(Kernel32.FlushFileBuffers(file));
    }

    @Override
    public int GetFileSizeEx(long file, long size) {
        return unlessZero(Kernel32.GetFileSizeEx(file, size));
    }

    @Override
    public int GetFinalPathNameByHandleW(long file, long path, int length, int flags) {
        return unlessZero(Kernel32.GetFinalPathNameByHandleW(file, path, length, flags));
    }

    @Override
    public int GetFileInformationByHandleEx(long file, int informationClass, long information, int length) {
        return unlessZero(Kernel32.GetFileInformationByHandleEx(file, informationClass, information, length));
    }

    @Override
    public int SetFileInformationByHandle(long file, int informationClass, long information, int length) {
        return unlessZero(Kernel32.SetFileInformationByHandle(file, informationClass, information, length));
    }

    @Override
    public int DeviceIoControl(long file, int code, long input, int inputLength, long output, int outputLength,
                               long returned, long overlapped) {
        return unlessZero(Kernel32.DeviceIoControl(file, code, input, inputLength, output, outputLength, returned,
                overlapped));
    }

    @Override
    public long CreateFileMappingW(long file, long security, int protection, int sizeHigh, int sizeLow, long name) {
        return unlessZero(Kernel32.CreateFileMappingW(file, security, protection, sizeHigh, sizeLow, name));
    }

    @Override
    public long MapViewOfFile(long mapping, int access, int offsetHigh, int offsetLow, long length) {
        return unlessZero(Kernel32.MapViewOfFile(mapping, access, offsetHigh, offsetLow, length));
    }

    @Override
    public int FlushViewOfFile(long address, long length) {
        return unlessZero(Kernel32.FlushViewOfFile(address, length));
    }

    @Override
    public int UnmapViewOfFile(long address) {
        return unlessZero(Kernel32.UnmapViewOfFile(address));
    }

    @Override
    public long CreateEventW(long security, int manualReset, int initialState, long name) {
        return unlessZero(Kernel32.CreateEventW(security, manualReset, initialState, name));
    }

    @Override
    public int SetEvent(long event) {
        return unlessZero(Kernel32.SetEvent(event));
    }

    @Override
    public int WaitForMultipleObjects(int count, long handles, int waitAll, int timeoutMillis) {
        return unlessMinusOne(Kernel32.WaitForMultipleObjects(count, handles, waitAll, timeoutMillis));
    }

    @Override
    public long GetModuleHandleW(long name) {
        return unlessZero(Kernel32.GetModuleHandleW(name));
    }

    @Override
    public long GetProcAddress(long module, long name) {
        return unlessZero(Kernel32.GetProcAddress(module, name));
    }

    @Override
    public int NtCreateFile(long file, int access, long attributes, long ioStatus, long allocationSize,
                            int fileAttributes, int share, int disposition, int options, long extendedAttributes,
                            int extendedLength) {
        return Ntdll.NtCreateFile(file, access, attributes, ioStatus, allocationSize, fileAttributes, share,
                disposition, options, extendedAttributes, extendedLength);
    }

    @Override
    public int NtDeviceIoControlFile(long file, long event, long apcRoutine, long apcContext, long ioStatus, int code,
                                     long input, int inputLength, long output, int outputLength) {
        return Ntdll.NtDeviceIoControlFile(file, event, apcRoutine, apcContext, ioStatus, code, input, inputLength,
                output, outputLength);
    }

    @Override
    public int NtCancelIoFileEx(long file, long ioStatusToCancel, long ioStatus) {
        return Ntdll.NtCancelIoFileEx(file, ioStatusToCancel, ioStatus);
    }

    @Override
    public int RtlNtStatusToDosError(int status) {
        return Ntdll.RtlNtStatusToDosError(status);
    }

    private static int unlessMinusOne(int result) {
        return result != -1 ? result : -Native.getLastError();
    }

    private static long unlessMinusOne(long result) {
        return result != -1 ? result : -Native.getLastError();
    }

    private static int unlessZero(int result) {
        return result != 0 ? result : -Native.getLastError();
    }

    private static long unlessZero(long result) {
        return result != 0 ? result : -Native.getLastError();
    }
}
