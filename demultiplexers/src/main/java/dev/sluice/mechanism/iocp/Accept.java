package dev.sluice.mechanism.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketStream;
import dev.sluice.system.OperatingSystem;

/** Accepts one connection, into a socket that must be created beforehand. */
class Accept extends OverlappedRequest {

    /** Room for an address that {@code AcceptEx} writes: 16 bytes more than the largest. */
    private static final int ACCEPTED_ADDRESS = SockaddrStorage.SIZE + 16;

    private final OperatingSystem system;

    Accept(OverlappedCalls calls, OperatingSystem system) {
        super(calls);
        this.system = system;
    }

    @Override
    final long call(IocpOperation operation) {
        int family = association(operation).family(windows(), operation);
        if (family < 0) {
            return family;
        }
        long socket = system.openSocket(family, SocketConstants.SOCK_STREAM);
        if (socket < 0) {
            return socket;
        }
        operation.socket = socket;
        return outcome(operation, windows().AcceptEx(extensions().acceptEx(), operation.descriptor(), socket,
                operation.structureAddress(), 0, ACCEPTED_ADDRESS, ACCEPTED_ADDRESS,
                operation.block.transferredAddress(), operation.block.address()));
    }

    @Override
    final boolean completed(IocpOperation operation, long result) {
        if (result < 0) {
            dropSocket(operation);
            // A peer that gave up its connection before it was accepted shows up as a reset here.
            return ErrorScope.ofAccept(Errno.of(result)) == ErrorScope.PEER || finish(operation, result);
        }
        if (makeConnection(operation) < 0) {
            // Whatever the error, it concerns this connection: usually the peer has reset it in between.
            dropSocket(operation);
            return true;
        }
        long socket = operation.socket;
        operation.socket = IocpOperation.NO_SOCKET;
        SocketStream stream = operation.adoptStream(socket);
        return stream == null || accepted(operation, stream);
    }

    /**
     * A connection has been accepted.
     *
     * @return whether the operation goes on to accept another one
     */
    boolean accepted(IocpOperation operation, SocketStream stream) {
        return finish(operation, 0, stream);
    }

    /** {@return 0 if the accepted socket now is a connection that knows its addresses, or a negated error number} */
    private int makeConnection(IocpOperation operation) {
        operation.structure().putLong(operation.structureAt(), operation.descriptor());
        return WindowsError.toErrno(windows().setsockopt(operation.socket, WinsockConstants.SOL_SOCKET,
                WinsockConstants.SO_UPDATE_ACCEPT_CONTEXT, operation.structureAddress(), Long.BYTES));
    }

    /** Closes the socket into which nothing has been accepted. */
    private void dropSocket(IocpOperation operation) {
        if (operation.socket != IocpOperation.NO_SOCKET) {
            windows().closesocket(operation.socket);
            operation.socket = IocpOperation.NO_SOCKET;
        }
    }

    @Override
    final void letGo(IocpOperation operation) {
        dropSocket(operation);
        super.letGo(operation);
    }
}
