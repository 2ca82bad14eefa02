package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketStream;

/** Accepts one connection, or connections continuously, each into a socket that must be created first. */
final class Accept extends OverlappedRequest<Accepting> {

    /** The space that {@code AcceptEx} needs for an address: 16 bytes more than the largest address. */
    private static final int ACCEPTED_ADDRESS = SockaddrStorage.SIZE + 16;

    private static final long NO_SOCKET = -1;

    private final boolean continuously;
    /** The socket for the next connection. */
    private long socket = NO_SOCKET;

    Accept(IocpDemultiplexer demultiplexer, Accepting arguments, boolean continuously) {
        super(demultiplexer, arguments);
        this.continuously = continuously;
    }

    @Override
    long perform() {
        int family = association().family(windows(), memory());
        if (family < 0) {
            return family;
        }
        long opened = demultiplexer.system.openSocket(family, SocketConstants.SOCK_STREAM);
        if (opened < 0) {
            return opened;
        }
        socket = opened;
        return outcome(windows().AcceptEx(extensions().acceptEx(), descriptor(), socket,
                memory().structureAddress(), 0, ACCEPTED_ADDRESS, ACCEPTED_ADDRESS,
                block().transferredAddress(), block().address()));
    }

    @Override
    boolean complete(long result) {
        if (result < 0) {
            dropSocket();
            // A reset means that the peer has closed its connection before it was accepted.
            return ErrorScope.ofAccept(result) == ErrorScope.PEER || finish(result);
        }
        if (makeConnection() < 0) {
            // The error concerns only this connection, which the peer has usually reset in the meantime.
            dropSocket();
            return true;
        }
        long accepted = socket;
        socket = NO_SOCKET;
        SocketStream stream = arguments.adopt(accepted);
        return stream == null || accepted(stream);
    }

    /**
     * Reports an accepted connection.
     *
     * @return whether the operation continues with another accept
     */
    private boolean accepted(SocketStream stream) {
        if (continuously) {
            outcomes.report(operation, 0, stream);
            return true;
        }
        return finish(0, stream);
    }

    /** {@return 0 after making the accepted socket an ordinary connection with addresses, or a negated error number} */
    private int makeConnection() {
        memory().structure().putLong(memory().structureAt(), descriptor());
        return WindowsError.toErrno(windows().setsockopt(socket, WinsockConstants.SOL_SOCKET,
                WinsockConstants.SO_UPDATE_ACCEPT_CONTEXT, memory().structureAddress(), Long.BYTES));
    }

    /** Closes the socket, into which no connection has been accepted. */
    private void dropSocket() {
        if (socket != NO_SOCKET) {
            windows().closesocket(socket);
            socket = NO_SOCKET;
        }
    }

    @Override
    void releaseResources() {
        dropSocket();
        super.releaseResources();
    }
}
