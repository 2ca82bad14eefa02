package dev.sluice.wine;

import dev.sluice.calls.Windows;
import dev.sluice.calls.layout.IoStatusBlock;
import dev.sluice.calls.layout.ObjectAttributes;
import dev.sluice.calls.layout.Overlapped;
import dev.sluice.calls.layout.OverlappedEntry;
import dev.sluice.calls.layout.WinsockTimeval;
import dev.sluice.calls.layout.Wsadata;
import dev.sluice.calls.layout.Wsanetworkevents;
import dev.sluice.calls.layout.Wsapollfd;
import dev.sluice.wine.Transfer.Direction;

/**
 * The calls of Windows, each made by the host. Whatever a pointer points to must be in the shared memory, except for
 * the bytes that are sent, received, read or written: those may be in any direct buffer, and are then copied.
 */
final class ForwardedWindows implements Windows {

    private static final int POINTER = Long.BYTES;

    private final Win32 win32;
    private final Transfers transfers;

    private final HostFunction startup;
    private final HostFunction socket;
    private final HostFunction bind;
    private final HostFunction listen;
    private final HostFunction accept;
    private final HostFunction connect;
    private final HostFunction getsockname;
    private final HostFunction getpeername;
    private final HostFunction getsockopt;
    private final HostFunction setsockopt;
    private final HostFunction ioctlsocket;
    private final HostFunction wsaIoctl;
    private final HostFunction shutdown;
    private final HostFunction closesocket;
    private final HostFunction recv;
    private final HostFunction send;
    private final HostFunction recvfrom;
    private final HostFunction sendto;
    private final HostFunction wsaRecv;
    private final HostFunction wsaSend;
    private final HostFunction wsaRecvFrom;
    private final HostFunction wsaSendTo;
    private final HostFunction select;
    private final HostFunction wsaPoll;
    private final HostFunction wsaEventSelect;
    private final HostFunction wsaEnumNetworkEvents;
    private final HostFunction createIoCompletionPort;
    private final HostFunction getQueuedCompletionStatusEx;
    private final HostFunction postQueuedCompletionStatus;
    private final HostFunction setFileCompletionNotificationModes;
    private final HostFunction cancelIoEx;
    private final HostFunction getOverlappedResult;
    private final HostFunction createFile;
    private final HostFunction closeHandle;
    private final HostFunction setHandleInformation;
    private final HostFunction readFile;
    private final HostFunction writeFile;
    private final HostFunction flushFileBuffers;
    private final HostFunction getFileSizeEx;
    private final HostFunction setFileInformationByHandle;
    private final HostFunction createFileMapping;
    private final HostFunction mapViewOfFile;
    private final HostFunction flushViewOfFile;
    private final HostFunction unmapViewOfFile;
    private final HostFunction createEvent;
    private final HostFunction setEvent;
    private final HostFunction resetEvent;
    private final HostFunction waitForMultipleObjects;
    private final HostFunction openProcess;
    private final HostFunction getExitCodeProcess;
    private final HostFunction registerWaitForSingleObject;
    private final HostFunction unregisterWaitEx;
    private final HostFunction getModuleHandle;
    private final HostFunction getProcAddress;
    private final HostFunction ntCreateFile;
    private final HostFunction ntDeviceIoControlFile;
    private final HostFunction ntCancelIoFileEx;
    private final HostFunction rtlNtStatusToDosError;

    ForwardedWindows(Win32 win32, Transfers transfers) {
        this.win32 = win32;
        this.transfers = transfers;

        Win32.Library winsock = win32.library("ws2_32.dll");
        startup = winsock.function("WSAStartup");
        socket = winsock.function("WSASocketW");
        bind = winsock.function("bind");
        listen = winsock.function("listen");
        accept = winsock.blocking("accept");
        connect = winsock.blocking("connect");
        getsockname = winsock.function("getsockname");
        getpeername = winsock.function("getpeername");
        getsockopt = winsock.function("getsockopt");
        setsockopt = winsock.function("setsockopt");
        ioctlsocket = winsock.function("ioctlsocket");
        wsaIoctl = winsock.function("WSAIoctl");
        shutdown = winsock.function("shutdown");
        closesocket = winsock.blocking("closesocket");
        recv = winsock.blocking("recv");
        send = winsock.blocking("send");
        recvfrom = winsock.blocking("recvfrom");
        sendto = winsock.blocking("sendto");
        wsaRecv = winsock.blocking("WSARecv");
        wsaSend = winsock.blocking("WSASend");
        wsaRecvFrom = winsock.blocking("WSARecvFrom");
        wsaSendTo = winsock.blocking("WSASendTo");
        select = winsock.blocking("select");
        wsaPoll = winsock.blocking("WSAPoll");
        wsaEventSelect = winsock.function("WSAEventSelect");
        wsaEnumNetworkEvents = winsock.function("WSAEnumNetworkEvents");

        Win32.Library kernel = win32.library("kernel32.dll");
        createIoCompletionPort = kernel.function("CreateIoCompletionPort");
        getQueuedCompletionStatusEx = kernel.blocking("GetQueuedCompletionStatusEx");
        postQueuedCompletionStatus = kernel.function("PostQueuedCompletionStatus");
        setFileCompletionNotificationModes = kernel.function("SetFileCompletionNotificationModes");
        cancelIoEx = kernel.function("CancelIoEx");
        getOverlappedResult = kernel.blocking("GetOverlappedResult");
        createFile = kernel.function("CreateFileW");
        closeHandle = kernel.function("CloseHandle");
        setHandleInformation = kernel.function("SetHandleInformation");
        readFile = kernel.blocking("ReadFile");
        writeFile = kernel.blocking("WriteFile");
        flushFileBuffers = kernel.blocking("FlushFileBuffers");
        getFileSizeEx = kernel.function("GetFileSizeEx");
        setFileInformationByHandle = kernel.function("SetFileInformationByHandle");
        createFileMapping = kernel.function("CreateFileMappingW");
        mapViewOfFile = kernel.function("MapViewOfFile");
        flushViewOfFile = kernel.blocking("FlushViewOfFile");
        unmapViewOfFile = kernel.function("UnmapViewOfFile");
        createEvent = kernel.function("CreateEventW");
        setEvent = kernel.function("SetEvent");
        resetEvent = kernel.function("ResetEvent");
        waitForMultipleObjects = kernel.blocking("WaitForMultipleObjects");
        openProcess = kernel.function("OpenProcess");
        getExitCodeProcess = kernel.function("GetExitCodeProcess");
        registerWaitForSingleObject = kernel.function("RegisterWaitForSingleObject");
        unregisterWaitEx = kernel.blocking("UnregisterWaitEx");
        getModuleHandle = kernel.function("GetModuleHandleW");
        getProcAddress = kernel.function("GetProcAddress");

        Win32.Library nt = win32.library("ntdll.dll");
        ntCreateFile = nt.function("NtCreateFile");
        ntDeviceIoControlFile = nt.function("NtDeviceIoControlFile");
        ntCancelIoFileEx = nt.function("NtCancelIoFileEx");
        rtlNtStatusToDosError = nt.function("RtlNtStatusToDosError");
    }

    // Winsock

    @Override
    public int WSAStartup(int version, long data) {
        return -startup.call(version, startup.seen("data", data, Wsadata.SIZE));
    }

    @Override
    public long WSASocketW(int family, int type, int protocol, long protocolInfo, int group, int flags) {
        return socket.handleOrError(family, type, protocol, socket.seen("protocolInfo", protocolInfo, 1), group, flags);
    }

    @Override
    public int bind(long descriptor, long address, int addressLength) {
        return bind.intOrError(descriptor, bind.seen("address", address, addressLength), addressLength);
    }

    @Override
    public int listen(long descriptor, int backlog) {
        return listen.intOrError(descriptor, backlog);
    }

    @Override
    public long accept(long descriptor, long address, long addressLength) {
        return accept.handleOrError(descriptor, accept.seen("address", address, 1),
                accept.seen("addressLength", addressLength, Integer.BYTES));
    }

    @Override
    public int connect(long descriptor, long address, int addressLength) {
        return connect.intOrError(descriptor, connect.seen("address", address, addressLength), addressLength);
    }

    @Override
    public int getsockname(long descriptor, long address, long addressLength) {
        return getsockname.intOrError(descriptor, getsockname.seen("address", address, 1),
                getsockname.seen("addressLength", addressLength, Integer.BYTES));
    }

    @Override
    public int getpeername(long descriptor, long address, long addressLength) {
        return getpeername.intOrError(descriptor, getpeername.seen("address", address, 1),
                getpeername.seen("addressLength", addressLength, Integer.BYTES));
    }

    @Override
    public int getsockopt(long descriptor, int level, int name, long value, long valueLength) {
        return getsockopt.intOrError(descriptor, level, name, getsockopt.seen("value", value, 1),
                getsockopt.seen("valueLength", valueLength, Integer.BYTES));
    }

    @Override
    public int setsockopt(long descriptor, int level, int name, long value, int valueLength) {
        return setsockopt.intOrError(descriptor, level, name, setsockopt.seen("value", value, valueLength),
                valueLength);
    }

    @Override
    public int ioctlsocket(long descriptor, int command, long argument) {
        return ioctlsocket.intOrError(descriptor, command, ioctlsocket.seen("argument", argument, Integer.BYTES));
    }

    @Override
    public int WSAIoctl(long descriptor, int code, long input, int inputLength, long output, int outputLength,
                        long returned, long overlapped, long completionRoutine) {
        refuseRoutine(wsaIoctl, completionRoutine);
        return wsaIoctl.intOrError(descriptor, code, wsaIoctl.seen("input", input, inputLength), inputLength,
                wsaIoctl.seen("output", output, outputLength), outputLength,
                wsaIoctl.seen("returned", returned, Integer.BYTES), overlapped(wsaIoctl, overlapped), 0);
    }

    @Override
    public int shutdown(long descriptor, int how) {
        return shutdown.intOrError(descriptor, how);
    }

    @Override
    public int closesocket(long descriptor) {
        return closesocket.intOrError(descriptor);
    }

    @Override
    public int recv(long descriptor, long buffer, int length, int flags) {
        return transfers.make(recv, Direction.RECEIVE, transfer -> recv.intOrError(descriptor,
                transfer.buffer("buffer", buffer, length), length, flags));
    }

    @Override
    public int send(long descriptor, long buffer, int length, int flags) {
        return transfers.make(send, Direction.SEND, transfer -> send.intOrError(descriptor,
                transfer.buffer("buffer", buffer, length), length, flags));
    }

    @Override
    public int recvfrom(long descriptor, long buffer, int length, int flags, long address, long addressLength) {
        return transfers.make(recvfrom, Direction.RECEIVE, transfer -> recvfrom.intOrError(descriptor,
                transfer.buffer("buffer", buffer, length), length, flags, recvfrom.seen("address", address, 1),
                recvfrom.seen("addressLength", addressLength, Integer.BYTES)));
    }

    @Override
    public int sendto(long descriptor, long buffer, int length, int flags, long address, int addressLength) {
        return transfers.make(sendto, Direction.SEND, transfer -> sendto.intOrError(descriptor,
                transfer.buffer("buffer", buffer, length), length, flags,
                sendto.seen("address", address, addressLength), addressLength));
    }

    @Override
    public int WSARecv(long descriptor, long buffers, int count, long received, long flags, long overlapped,
                       long completionRoutine) {
        refuseRoutine(wsaRecv, completionRoutine);
        return transfers.make(wsaRecv, Direction.RECEIVE, received, overlapped, transfer -> wsaRecv.intOrError(
                descriptor, transfer.buffers("buffers", buffers, count), count, received,
                wsaRecv.seen("flags", flags, Integer.BYTES), overlapped, 0));
    }

    @Override
    public int WSASend(long descriptor, long buffers, int count, long sent, int flags, long overlapped,
                       long completionRoutine) {
        refuseRoutine(wsaSend, completionRoutine);
        return transfers.make(wsaSend, Direction.SEND, sent, overlapped, transfer -> wsaSend.intOrError(descriptor,
                transfer.buffers("buffers", buffers, count), count, sent, flags, overlapped, 0));
    }

    @Override
    public int WSARecvFrom(long descriptor, long buffers, int count, long received, long flags, long address,
                           long addressLength, long overlapped, long completionRoutine) {
        refuseRoutine(wsaRecvFrom, completionRoutine);
        return transfers.make(wsaRecvFrom, Direction.RECEIVE, received, overlapped, transfer -> wsaRecvFrom.intOrError(
                descriptor, transfer.buffers("buffers", buffers, count), count, received,
                wsaRecvFrom.seen("flags", flags, Integer.BYTES), wsaRecvFrom.seen("address", address, 1),
                wsaRecvFrom.seen("addressLength", addressLength, Integer.BYTES), overlapped, 0));
    }

    @Override
    public int WSASendTo(long descriptor, long buffers, int count, long sent, int flags, long address,
                         int addressLength, long overlapped, long completionRoutine) {
        refuseRoutine(wsaSendTo, completionRoutine);
        return transfers.make(wsaSendTo, Direction.SEND, sent, overlapped, transfer -> wsaSendTo.intOrError(descriptor,
                transfer.buffers("buffers", buffers, count), count, sent, flags,
                wsaSendTo.seen("address", address, addressLength), addressLength, overlapped, 0));
    }

    @Override
    public int select(int ignored, long readSet, long writeSet, long exceptSet, long timeout) {
        return select.intOrError(ignored, select.seen("readSet", readSet, 1), select.seen("writeSet", writeSet, 1),
                select.seen("exceptSet", exceptSet, 1), select.seen("timeout", timeout, WinsockTimeval.SIZE));
    }

    @Override
    public int WSAPoll(long descriptors, int count, int timeoutMillis) {
        return wsaPoll.intOrError(wsaPoll.seen("descriptors", descriptors, (long) count * Wsapollfd.SIZE), count,
                timeoutMillis);
    }

    @Override
    public int WSAEventSelect(long descriptor, long event, int networkEvents) {
        return wsaEventSelect.intOrError(descriptor, event, networkEvents);
    }

    @Override
    public int WSAEnumNetworkEvents(long descriptor, long event, long networkEvents) {
        return wsaEnumNetworkEvents.intOrError(descriptor, event,
                wsaEnumNetworkEvents.seen("networkEvents", networkEvents, Wsanetworkevents.SIZE));
    }

    // Winsock's extension functions

    @Override
    public int AcceptEx(long function, long listener, long accepted, long output, int receiveLength, int localLength,
                        int remoteLength, long received, long overlapped) {
        HostFunction acceptEx = win32.extension("AcceptEx", function);
        long length = (long) receiveLength + localLength + remoteLength;
        return acceptEx.trueOrError(listener, accepted, acceptEx.seen("output", output, length), receiveLength,
                localLength, remoteLength, acceptEx.seen("received", received, Integer.BYTES),
                overlapped(acceptEx, overlapped));
    }

    @Override
    public void GetAcceptExSockaddrs(long function, long output, int receiveLength, int localLength, int remoteLength,
                                     long local, long localSize, long remote, long remoteSize) {
        HostFunction getAcceptExSockaddrs = win32.extension("GetAcceptExSockaddrs", function);
        long length = (long) receiveLength + localLength + remoteLength;
        getAcceptExSockaddrs.call(getAcceptExSockaddrs.seen("output", output, length), receiveLength, localLength,
                remoteLength, getAcceptExSockaddrs.seen("local", local, POINTER),
                getAcceptExSockaddrs.seen("localSize", localSize, Integer.BYTES),
                getAcceptExSockaddrs.seen("remote", remote, POINTER),
                getAcceptExSockaddrs.seen("remoteSize", remoteSize, Integer.BYTES));
    }

    @Override
    public int ConnectEx(long function, long descriptor, long address, int addressLength, long sendBuffer,
                         int sendLength, long sent, long overlapped) {
        HostFunction connectEx = win32.extension("ConnectEx", function);
        return transfers.make(connectEx, Direction.SEND, sent, overlapped, transfer -> connectEx.trueOrError(descriptor,
                connectEx.seen("address", address, addressLength), addressLength,
                transfer.buffer("sendBuffer", sendBuffer, sendLength), sendLength, sent, overlapped));
    }

    @Override
    public int TransmitFile(long function, long descriptor, long file, int count, int countPerSend, long overlapped,
                            long buffers, int flags) {
        HostFunction transmitFile = win32.extension("TransmitFile", function);
        return transfers.make(transmitFile, Direction.SEND, 0, overlapped, transfer -> transmitFile.trueOrError(
                descriptor, file, count, countPerSend, overlapped, transfer.transmitFileBuffers("buffers", buffers),
                flags));
    }

    // completion ports

    @Override
    public long CreateIoCompletionPort(long file, long existingPort, long key, int concurrency) {
        return createIoCompletionPort.pointerOrError(file, existingPort, key, concurrency);
    }

    @Override
    public int GetQueuedCompletionStatusEx(long port, long entries, int count, long removed, int timeoutMillis,
                                           int alertable) {
        int result = getQueuedCompletionStatusEx.trueOrError(port,
                getQueuedCompletionStatusEx.seen("entries", entries, (long) count * OverlappedEntry.SIZE), count,
                getQueuedCompletionStatusEx.seen("removed", removed, Integer.BYTES), timeoutMillis, alertable);
        if (result > 0) {
            transfers.completed(entries, removed);
        }
        return result;
    }

    @Override
    public int PostQueuedCompletionStatus(long port, int bytes, long key, long overlapped) {
        return postQueuedCompletionStatus.trueOrError(port, bytes, key, overlapped);
    }

    @Override
    public int SetFileCompletionNotificationModes(long file, int flags) {
        return setFileCompletionNotificationModes.trueOrError(file, flags);
    }

    @Override
    public int CancelIoEx(long file, long overlapped) {
        return cancelIoEx.trueOrError(file, overlapped(cancelIoEx, overlapped));
    }

    @Override
    public int GetOverlappedResult(long file, long overlapped, long transferred, int wait) {
        int result = getOverlappedResult.trueOrError(file, overlapped(getOverlappedResult, overlapped),
                getOverlappedResult.seen("transferred", transferred, Integer.BYTES), wait);
        transfers.answered(overlapped);
        return result;
    }

    // files

    @Override
    public long CreateFileW(long name, int access, int share, long security, int disposition, int flags,
                            long template) {
        return createFile.handleOrError(createFile.seen("name", name, Character.BYTES), access, share,
                createFile.seen("security", security, 1), disposition, flags, template);
    }

    @Override
    public int CloseHandle(long handle) {
        return closeHandle.trueOrError(handle);
    }

    @Override
    public int SetHandleInformation(long handle, int mask, int flags) {
        return setHandleInformation.trueOrError(handle, mask, flags);
    }

    @Override
    public int ReadFile(long file, long buffer, int length, long read, long overlapped) {
        return transfers.make(readFile, Direction.RECEIVE, read, overlapped, transfer -> readFile.trueOrError(file,
                transfer.buffer("buffer", buffer, length), length, read, overlapped));
    }

    @Override
    public int WriteFile(long file, long buffer, int length, long written, long overlapped) {
        return transfers.make(writeFile, Direction.SEND, written, overlapped, transfer -> writeFile.trueOrError(file,
                transfer.buffer("buffer", buffer, length), length, written, overlapped));
    }

    @Override
    public int FlushFileBuffers(long file) {
        return flushFileBuffers.trueOrError(file);
    }

    @Override
    public int GetFileSizeEx(long file, long size) {
        return getFileSizeEx.trueOrError(file, getFileSizeEx.seen("size", size, Long.BYTES));
    }

    @Override
    public int SetFileInformationByHandle(long file, int informationClass, long information, int length) {
        return setFileInformationByHandle.trueOrError(file, informationClass,
                setFileInformationByHandle.seen("information", information, length), length);
    }

    @Override
    public long CreateFileMappingW(long file, long security, int protection, int sizeHigh, int sizeLow, long name) {
        return createFileMapping.pointerOrError(file, createFileMapping.seen("security", security, 1), protection,
                sizeHigh, sizeLow, createFileMapping.seen("name", name, Character.BYTES));
    }

    @Override
    public long MapViewOfFile(long mapping, int access, int offsetHigh, int offsetLow, long length) {
        return mapViewOfFile.pointerOrError(mapping, access, offsetHigh, offsetLow, length);
    }

    @Override
    public int FlushViewOfFile(long address, long length) {
        return flushViewOfFile.trueOrError(address, length);
    }

    @Override
    public int UnmapViewOfFile(long address) {
        return unmapViewOfFile.trueOrError(address);
    }

    // events

    @Override
    public long CreateEventW(long security, int manualReset, int initialState, long name) {
        return createEvent.pointerOrError(createEvent.seen("security", security, 1), manualReset, initialState,
                createEvent.seen("name", name, Character.BYTES));
    }

    @Override
    public int SetEvent(long event) {
        return setEvent.trueOrError(event);
    }

    @Override
    public int ResetEvent(long event) {
        return resetEvent.trueOrError(event);
    }

    @Override
    public int WaitForMultipleObjects(int count, long handles, int waitAll, int timeoutMillis) {
        return waitForMultipleObjects.intOrError(count,
                waitForMultipleObjects.seen("handles", handles, (long) count * POINTER), waitAll, timeoutMillis);
    }

    @Override
    public long OpenProcess(int access, int inherit, int process) {
        return openProcess.pointerOrError(access, inherit, process);
    }

    @Override
    public int GetExitCodeProcess(long process, long code) {
        return getExitCodeProcess.trueOrError(process, getExitCodeProcess.seen("code", code, Integer.BYTES));
    }

    /** The callback is a function in the host. */
    @Override
    public int RegisterWaitForSingleObject(long wait, long object, long callback, long context, int timeoutMillis,
                                           int flags) {
        return registerWaitForSingleObject.trueOrError(registerWaitForSingleObject.seen("wait", wait, POINTER), object,
                callback, context, timeoutMillis, flags);
    }

    @Override
    public int UnregisterWaitEx(long wait, long completionEvent) {
        return unregisterWaitEx.trueOrError(wait, completionEvent);
    }

    // functions of a library

    @Override
    public long GetModuleHandleW(long name) {
        return getModuleHandle.pointerOrError(getModuleHandle.seen("name", name, Character.BYTES));
    }

    @Override
    public long GetProcAddress(long module, long name) {
        return getProcAddress.pointerOrError(module, getProcAddress.seen("name", name, 1));
    }

    // the native interface

    @Override
    public int NtCreateFile(long file, int access, long attributes, long ioStatus, long allocationSize,
                            int fileAttributes, int share, int disposition, int options, long extendedAttributes,
                            int extendedLength) {
        return ntCreateFile.call(ntCreateFile.seen("file", file, POINTER), access,
                ntCreateFile.seen("attributes", attributes, ObjectAttributes.SIZE),
                ntCreateFile.seen("ioStatus", ioStatus, IoStatusBlock.SIZE),
                ntCreateFile.seen("allocationSize", allocationSize, Long.BYTES), fileAttributes, share, disposition,
                options, ntCreateFile.seen("extendedAttributes", extendedAttributes, extendedLength), extendedLength);
    }

    @Override
    public int NtDeviceIoControlFile(long file, long event, long apcRoutine, long apcContext, long ioStatus, int code,
                                     long input, int inputLength, long output, int outputLength) {
        refuseRoutine(ntDeviceIoControlFile, apcRoutine);
        return ntDeviceIoControlFile.call(file, event, 0, apcContext,
                ntDeviceIoControlFile.seen("ioStatus", ioStatus, IoStatusBlock.SIZE), code,
                ntDeviceIoControlFile.seen("input", input, inputLength), inputLength,
                ntDeviceIoControlFile.seen("output", output, outputLength), outputLength);
    }

    @Override
    public int NtCancelIoFileEx(long file, long ioStatusToCancel, long ioStatus) {
        return ntCancelIoFileEx.call(file,
                ntCancelIoFileEx.seen("ioStatusToCancel", ioStatusToCancel, IoStatusBlock.SIZE),
                ntCancelIoFileEx.seen("ioStatus", ioStatus, IoStatusBlock.SIZE));
    }

    @Override
    public int RtlNtStatusToDosError(int status) {
        return rtlNtStatusToDosError.call(status);
    }

    private static long overlapped(HostFunction function, long overlapped) {
        return function.seen("overlapped", overlapped, Overlapped.SIZE);
    }

    private static void refuseRoutine(HostFunction function, long routine) {
        if (routine != 0) {
            throw new IllegalArgumentException(function + ": the Win32 host cannot call back, no routine is possible");
        }
    }
}
