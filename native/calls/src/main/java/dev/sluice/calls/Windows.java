package dev.sluice.calls;

import dev.sluice.calls.layout.CFunctions;
import dev.sluice.calls.layout.CPointer;
import dev.sluice.calls.layout.On;
import dev.sluice.calls.layout.Undeclared;

/**
 * The calls of Windows, under their C names: Winsock (ws2_32), completion ports, events and files (kernel32), and the
 * few of the native interface (ntdll) that readiness on a completion port needs.
 *
 * <p>Sockets, handles and pointers are {@code long}, 0 for {@code NULL}; a {@code DWORD} is an {@code int}, whose sign
 * bit has no meaning. Each method returns what the C function returns, or the negated {@code GetLastError} (for
 * Winsock, {@code WSAGetLastError}, which is the same) where that result means failure: {@code SOCKET_ERROR},
 * {@code INVALID_SOCKET}, {@code INVALID_HANDLE_VALUE}, {@code NULL} or {@code FALSE}. An overlapped call that
 * continues in the background fails with {@code ERROR_IO_PENDING} as in C. {@link WindowsError} has the names of the
 * errors. Functions with {@code Nt} in their name return their {@code NTSTATUS} instead. A blocking call blocks the
 * calling thread.
 *
 * <p>A function that the system's libraries do not export fails with {@code ERROR_CALL_NOT_IMPLEMENTED}; one with
 * {@code Nt} in its name returns {@code STATUS_NOT_IMPLEMENTED}.
 */
@CFunctions(headers = {"winsock2.h", "mswsock.h", "windows.h", "winternl.h"}, on = On.WINDOWS)
public interface Windows {

    // Winsock

    /** {@return 0, or the negated error number, which this function returns directly instead of setting it} */
    int WSAStartup(int version, long data);

    long WSASocketW(int family, int type, int protocol, long protocolInfo, int group, int flags);

    int bind(long socket, long address, int addressLength);

    int listen(long socket, int backlog);

    long accept(long socket, long address, long addressLength);

    int connect(long socket, long address, int addressLength);

    int getsockname(long socket, long address, long addressLength);

    int getpeername(long socket, long address, long addressLength);

    int getsockopt(long socket, int level, int name, long value, long valueLength);

    int setsockopt(long socket, int level, int name, long value, int valueLength);

    int ioctlsocket(long socket, int command, long argument);

    int WSAIoctl(long socket, int code, long input, int inputLength, long output, int outputLength, long returned,
                 long overlapped, long completionRoutine);

    int shutdown(long socket, int how);

    int closesocket(long socket);

    int recv(long socket, long buffer, int length, int flags);

    int send(long socket, long buffer, int length, int flags);

    int recvfrom(long socket, long buffer, int length, int flags, long address, long addressLength);

    int sendto(long socket, long buffer, int length, int flags, long address, int addressLength);

    int WSARecv(long socket, long buffers, int count, long received, long flags, long overlapped,
                long completionRoutine);

    int WSASend(long socket, long buffers, int count, long sent, int flags, long overlapped, long completionRoutine);

    int WSARecvFrom(long socket, long buffers, int count, long received, long flags, long address, long addressLength,
                    long overlapped, long completionRoutine);

    int WSASendTo(long socket, long buffers, int count, long sent, int flags, long address, int addressLength,
                  long overlapped, long completionRoutine);

    int select(int ignored, long readSet, long writeSet, long exceptSet, long timeout);

    int WSAPoll(long descriptors, int count, int timeoutMillis);

    int WSAEventSelect(long socket, long event, int networkEvents);

    int WSAEnumNetworkEvents(long socket, long event, long networkEvents);

    // Winsock's extension functions, whose pointers come from WSAIoctl

    @CPointer("LPFN_ACCEPTEX")
    int AcceptEx(long function, long listener, long accepted, long output, int receiveLength, int localLength,
                 int remoteLength, long received, long overlapped);

    @CPointer("LPFN_GETACCEPTEXSOCKADDRS")
    void GetAcceptExSockaddrs(long function, long output, int receiveLength, int localLength, int remoteLength,
                              long local, long localSize, long remote, long remoteSize);

    @CPointer("LPFN_CONNECTEX")
    int ConnectEx(long function, long socket, long address, int addressLength, long sendBuffer, int sendLength,
                  long sent, long overlapped);

    @CPointer("LPFN_TRANSMITFILE")
    int TransmitFile(long function, long socket, long file, int count, int countPerSend, long overlapped, long buffers,
                     int flags);

    // completion ports

    long CreateIoCompletionPort(long file, long existingPort, long key, int concurrency);

    int GetQueuedCompletionStatusEx(long port, long entries, int count, long removed, int timeoutMillis, int alertable);

    int PostQueuedCompletionStatus(long port, int bytes, long key, long overlapped);

    int SetFileCompletionNotificationModes(long file, int flags);

    int CancelIoEx(long file, long overlapped);

    int GetOverlappedResult(long file, long overlapped, long transferred, int wait);

    // files

    long CreateFileW(long name, int access, int share, long security, int disposition, int flags, long template);

    int CloseHandle(long handle);

    int SetHandleInformation(long handle, int mask, int flags);

    int ReadFile(long file, long buffer, int length, long read, long overlapped);

    int WriteFile(long file, long buffer, int length, long written, long overlapped);

    int FlushFileBuffers(long file);

    int LockFileEx(long file, int flags, int reserved, int lengthLow, int lengthHigh, long overlapped);

    int UnlockFileEx(long file, int reserved, int lengthLow, int lengthHigh, long overlapped);

    int GetFileSizeEx(long file, long size);

    /**
     * Determines the path of an open file, with all links resolved.
     *
     * @param file   the file
     * @param path   receives the path and a terminating zero, in UTF-16
     * @param length the size of this memory, in characters
     * @param flags  the form of the path
     * @return the length of the path in characters; if it does not fit, the length including the terminating zero
     */
    int GetFinalPathNameByHandleW(long file, long path, int length, int flags);

    int GetFileInformationByHandleEx(long file, int informationClass, long information, int length);

    int SetFileInformationByHandle(long file, int informationClass, long information, int length);

    /**
     * Makes a request to the file system or the device of a file.
     *
     * @param file         the file
     * @param code         the request
     * @param input        what the request takes
     * @param inputLength  the size of that
     * @param output       receives what the request returns
     * @param outputLength the size of this memory
     * @param returned     receives the number of bytes that are returned; may be 0 with an {@code OVERLAPPED}
     * @param overlapped   address of an {@code OVERLAPPED}
     * @return 1, or a negated error number
     */
    int DeviceIoControl(long file, int code, long input, int inputLength, long output, int outputLength, long returned,
                        long overlapped);

    long CreateFileMappingW(long file, long security, int protection, int sizeHigh, int sizeLow, long name);

    long MapViewOfFile(long mapping, int access, int offsetHigh, int offsetLow, long length);

    int FlushViewOfFile(long address, long length);

    int UnmapViewOfFile(long address);

    // events, and waiting for them

    long CreateEventW(long security, int manualReset, int initialState, long name);

    int SetEvent(long event);

    int WaitForMultipleObjects(int count, long handles, int waitAll, int timeoutMillis);

    // functions of a library

    long GetModuleHandleW(long name);

    long GetProcAddress(long module, long name);

    // the native interface

    int NtCreateFile(long file, int access, long attributes, long ioStatus, long allocationSize, int fileAttributes,
                     int share, int disposition, int options, long extendedAttributes, int extendedLength);

    int NtDeviceIoControlFile(long file, long event, long apcRoutine, long apcContext, long ioStatus, int code,
                              long input, int inputLength, long output, int outputLength);

    @Undeclared
    int NtCancelIoFileEx(long file, long ioStatusToCancel, long ioStatus);

    /** {@return the error number that corresponds to a status} */
    int RtlNtStatusToDosError(int status);
}
