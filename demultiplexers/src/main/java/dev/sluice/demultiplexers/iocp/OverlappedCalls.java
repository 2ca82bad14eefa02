package dev.sluice.demultiplexers.iocp;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.SockaddrIn6;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.calls.layout.Wsabuf;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.system.OperatingSystem;
import java.nio.ByteBuffer;

/** Makes the calls that operations consist of. Inside. */
final class OverlappedCalls {

    /** What {@link #make} returns if the result comes with a packet. */
    static final long PENDING = Long.MIN_VALUE;

    /** Room for an address that {@code AcceptEx} writes: 16 bytes more than the largest. */
    private static final int ACCEPTED_ADDRESS = SockaddrStorage.SIZE + 16;
    /** What {@code TransmitFile} takes at most in one call. */
    private static final long MOST_TRANSMITTED = Integer.MAX_VALUE - 1;
    /** What a send that found no room waits for the peer to take. */
    private static final int SOME = 64 * 1024;

    private final Windows windows;
    private final OperatingSystem system;
    private final ExtensionFunctions extensions;
    private final long sink;
    private final int sinkSize;

    /**
     * Makes calls of a binding.
     *
     * @param sink     the address of room for the rest of datagrams that do not fit, which nobody reads
     * @param sinkSize its size in bytes
     */
    OverlappedCalls(Binding binding, ExtensionFunctions extensions, long sink, int sinkSize) {
        this.windows = binding.windows();
        this.system = OperatingSystem.of(binding);
        this.extensions = extensions;
        this.sink = sink;
        this.sinkSize = sinkSize;
    }

    /**
     * Makes an operation's next call.
     *
     * @return its result, a negated error number, or {@link #PENDING}
     */
    long make(IocpOperation operation) {
        OverlappedPool.Block block = operation.block;
        switch (operation.type()) {
            case READ, WRITE -> {
                block.clear(operation.nextPosition() + operation.movedBefore);
                return moveElement(operation);
            }
            case TRANSMIT_FILE -> {
                block.clear(operation.nextPosition());
                return transmit(operation);
            }
            default -> block.clear(0);
        }
        return switch (operation.type()) {
            case ACCEPT, ACCEPT_CONTINUOUSLY -> accept(operation);
            case CONNECT -> connect(operation);
            case RECEIVE -> operation.isVectored()
                    ? receive(operation, operation.vector(), operation.vectorCount())
                    : receive(operation, block.vector(operation.address(), operation.nextLength()), 1);
            case RECEIVE_CONTINUOUSLY -> operation.receiving == null
                    ? receive(operation, block.vector(block.address(), 0), 1)
                    : receiveAtOnce(operation);
            case RECEIVE_FROM -> receiveFrom(operation);
            case SEND -> operation.wantsAll() ? send(operation) : sendSome(operation);
            case SEND_TO -> sendTo(operation);
            default -> throw new IllegalStateException("not an overlapped call: " + operation);
        };
    }

    /** Decides what a call that has returned means: it is over at once only if no packet will come for it. */
    private static long outcome(IocpOperation operation, int result) {
        if (result >= 0) {
            return ((IocpAssociation) operation.handle()).skipsPackets() ? operation.block.transferred() : PENDING;
        }
        return result == -WindowsError.ERROR_IO_PENDING ? PENDING : failure(operation, result);
    }

    /**
     * Translates an error.
     *
     * @param result a negated error number of Windows
     * @return 0 if it stands for the end of what is read, or else a negated error number
     */
    static long failure(IocpOperation operation, int result) {
        OperationType type = operation.type();
        return switch (-result) {
            case WindowsError.ERROR_HANDLE_EOF -> type == OperationType.READ ? 0 : WindowsError.toErrno(result);
            // The file has not been opened for that.
            case WindowsError.ERROR_ACCESS_DENIED -> type == OperationType.READ || type == OperationType.WRITE
                    ? -Errno.EBADF.number()
                    : -Errno.EACCES.number();
            // The receiving half has been shut down: on Unix that is an end of the stream.
            case WindowsError.WSAESHUTDOWN -> isReceive(type) ? 0 : -Errno.EPIPE.number();
            // The host of a datagram's peer has said that nobody is there.
            case WindowsError.WSAECONNRESET, WindowsError.ERROR_NETNAME_DELETED ->
                    type == OperationType.RECEIVE_FROM || type == OperationType.SEND_TO
                            ? -Errno.ECONNREFUSED.number()
                            : -Errno.ECONNRESET.number();
            case WindowsError.WSAENOTCONN -> type == OperationType.SEND_TO
                    ? -Errno.EDESTADDRREQ.number()
                    : -Errno.ENOTCONN.number();
            default -> WindowsError.toErrno(result);
        };
    }

    private static boolean isReceive(OperationType type) {
        return type == OperationType.RECEIVE || type == OperationType.RECEIVE_CONTINUOUSLY;
    }

    // Connections

    private long accept(IocpOperation operation) {
        int family = ((IocpAssociation) operation.handle()).family(windows, operation);
        if (family < 0) {
            return family;
        }
        long socket = system.openSocket(family, SocketConstants.SOCK_STREAM);
        if (socket < 0) {
            return socket;
        }
        operation.socket = socket;
        return outcome(operation, windows.AcceptEx(extensions.acceptEx(), operation.descriptor(), socket,
                operation.structureAddress(), 0, ACCEPTED_ADDRESS, ACCEPTED_ADDRESS,
                operation.block.transferredAddress(), operation.block.address()));
    }

    /** {@return 0 if the accepted socket is a connection that knows its addresses, or a negated error number} */
    int finishAccept(IocpOperation operation) {
        operation.structure().putLong(operation.structureAt(), operation.descriptor());
        return WindowsError.toErrno(windows.setsockopt(operation.socket, WinsockConstants.SOL_SOCKET,
                WinsockConstants.SO_UPDATE_ACCEPT_CONTEXT, operation.structureAddress(), Long.BYTES));
    }

    /** Closes the socket that nothing has been accepted into. */
    void dropSocket(IocpOperation operation) {
        if (operation.socket != IocpOperation.NO_SOCKET) {
            windows.closesocket(operation.socket);
            operation.socket = IocpOperation.NO_SOCKET;
        }
    }

    private long connect(IocpOperation operation) {
        int result = bindToAny(operation);
        if (result < 0) {
            return result;
        }
        return outcome(operation, windows.ConnectEx(extensions.connectEx(), operation.descriptor(),
                operation.address(), operation.nextLength(), 0, 0, 0, operation.block.address()));
    }

    /** {@code ConnectEx} wants a socket that is bound. */
    private int bindToAny(IocpOperation operation) {
        ByteBuffer memory = operation.structure();
        int at = operation.structureAt();
        for (int i = 0; i < operation.nextLength(); i++) {
            memory.put(at + i, (byte) 0);
        }
        SockaddrStorage.family(memory, at, operation.nextLength() == SockaddrIn6.SIZE
                ? WinsockConstants.AF_INET6
                : WinsockConstants.AF_INET);
        int result = windows.bind(operation.descriptor(), operation.structureAddress(), operation.nextLength());
        return result == -WindowsError.WSAEINVAL ? 0 : WindowsError.toErrno(result);
    }

    /** {@return 0 if the socket knows now that it is connected, or a negated error number} */
    int finishConnect(IocpOperation operation) {
        return WindowsError.toErrno(windows.setsockopt(operation.descriptor(), WinsockConstants.SOL_SOCKET,
                WinsockConstants.SO_UPDATE_CONNECT_CONTEXT, 0, 0));
    }

    int shutdown(IocpOperation operation) {
        return WindowsError.toErrno(windows.shutdown(operation.descriptor(),
                operation.wantsAll() ? WinsockConstants.SD_SEND : WinsockConstants.SD_RECEIVE));
    }

    // Bytes

    private long receive(IocpOperation operation, long vector, int count) {
        OverlappedPool.Block block = operation.block;
        return outcome(operation, windows.WSARecv(operation.descriptor(), vector, count, block.transferredAddress(),
                block.flagsAddress(), block.address(), 0));
    }

    /** Receives what there is into a provided buffer; {@code EAGAIN} if there is nothing. */
    private long receiveAtOnce(IocpOperation operation) {
        int result = windows.recv(operation.descriptor(), operation.receiving.address(), operation.receiving.size(), 0);
        return result < 0 ? failure(operation, result) : result;
    }

    private long receiveFrom(IocpOperation operation) {
        OverlappedPool.Block block = operation.block;
        // What does not fit goes elsewhere: nobody tells how long a datagram was that has been cut.
        Wsabuf.set(operation.structure(), operation.vectorAt() + Wsabuf.SIZE, sink, sinkSize);
        return outcome(operation, windows.WSARecvFrom(operation.descriptor(), operation.vector(), 2,
                block.transferredAddress(), block.flagsAddress(), operation.name(), operation.message(),
                block.address(), 0));
    }

    private long send(IocpOperation operation) {
        OverlappedPool.Block block = operation.block;
        long vector = operation.isVectored()
                ? operation.vector()
                : block.vector(operation.address(), operation.nextLength());
        return outcome(operation, windows.WSASend(operation.descriptor(), vector,
                operation.isVectored() ? operation.vectorCount() : 1, block.transferredAddress(), 0, block.address(),
                0));
    }

    private long sendTo(IocpOperation operation) {
        OverlappedPool.Block block = operation.block;
        return outcome(operation, operation.nameLength() == 0
                ? windows.WSASend(operation.descriptor(), operation.vector(), operation.vectorCount(),
                        block.transferredAddress(), 0, block.address(), 0)
                : windows.WSASendTo(operation.descriptor(), operation.vector(), operation.vectorCount(),
                        block.transferredAddress(), 0, operation.name(), operation.nameLength(), block.address(), 0));
    }

    /** An overlapped send is over when all is sent, so what there is room for goes with one that is not. */
    private long sendSome(IocpOperation operation) {
        OverlappedPool.Block block = operation.block;
        boolean vectored = operation.isVectored();
        long vector = vectored ? operation.vector() : block.vector(operation.address(), operation.nextLength());
        int result = windows.WSASend(operation.descriptor(), vector, vectored ? operation.vectorCount() : 1,
                block.transferredAddress(), 0, 0, 0);
        if (result >= 0) {
            return block.transferred();
        }
        if (result != -WindowsError.WSAEWOULDBLOCK) {
            return failure(operation, result);
        }
        long address = vectored ? elementAddress(operation, 0) : operation.address();
        int length = vectored ? elementLength(operation, 0) : operation.nextLength();
        return outcome(operation, windows.WSASend(operation.descriptor(), block.vector(address, Math.min(length, SOME)),
                1, block.transferredAddress(), 0, block.address(), 0));
    }

    // Files

    private long moveElement(IocpOperation operation) {
        boolean vectored = operation.isVectored();
        long address = vectored ? elementAddress(operation, operation.element) : operation.address();
        int length = elementLength(operation);
        OverlappedPool.Block block = operation.block;
        int result = operation.type() == OperationType.READ
                ? windows.ReadFile(operation.descriptor(), address, length, block.transferredAddress(),
                        block.address())
                : windows.WriteFile(operation.descriptor(), address, length, block.transferredAddress(),
                        block.address());
        return outcome(operation, result);
    }

    /** {@return how many bytes the current call of a file operation is to move} */
    static int elementLength(IocpOperation operation) {
        return operation.isVectored() ? elementLength(operation, operation.element) : operation.nextLength();
    }

    private static int elementLength(IocpOperation operation, int index) {
        return operation.structure().getInt(operation.vectorAt() + index * Wsabuf.SIZE + Wsabuf.LEN);
    }

    private static long elementAddress(IocpOperation operation, int index) {
        return operation.structure().getLong(operation.vectorAt() + index * Wsabuf.SIZE + Wsabuf.BUF);
    }

    private long transmit(IocpOperation operation) {
        int result = windows.GetFileSizeEx(operation.fileDescriptor(), operation.structureAddress());
        if (result < 0) {
            return WindowsError.toErrno(result);
        }
        long size = operation.structure().getLong(operation.structureAt());
        // Behind its end a file could not be told from one that is to be sent as a whole.
        long count = Math.min(operation.amount() - operation.done(),
                Math.min(size - operation.nextPosition(), MOST_TRANSMITTED));
        if (count <= 0) {
            return 0;
        }
        long outcome = outcome(operation, windows.TransmitFile(extensions.transmitFile(),
                operation.handle().descriptor(), operation.fileDescriptor(), (int) count, 0,
                operation.block.address(), 0, 0));
        return outcome == 0 ? operation.block.transferredAsKept() : outcome;
    }

    int force(long file) {
        return Math.min(0, system.force(file));
    }

    int close(long descriptor, boolean isSocket) {
        int result = isSocket ? windows.closesocket(descriptor) : windows.CloseHandle(descriptor);
        return Math.min(0, WindowsError.toErrno(result));
    }

    // The end of a call

    /**
     * Asks for the end of a call, which still comes with a packet.
     *
     * @return whether the system has such a call
     */
    boolean cancel(IocpOperation operation) {
        int result = windows.CancelIoEx(operation.handle().descriptor(), operation.block.address());
        return result != -WindowsError.ERROR_NOT_FOUND;
    }

    /** {@return what a packet means: bytes, 0 for the end of what is read, or a negated error number} */
    long result(IocpOperation operation, long transferred) {
        int status = operation.block.status();
        if (status >= 0) {
            return transferred;
        }
        if (status == Win32Constants.STATUS_END_OF_FILE && operation.type() == OperationType.READ) {
            return 0;
        }
        return failure(operation, -windows.RtlNtStatusToDosError(status));
    }
}
