package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.operation.Accepting;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketStream;

/** Accepts one connection, or one after the other, each into a socket that must be created beforehand. */
final class Accept extends OverlappedRequest<Accepting> {

    /** The space for an address that {@code AcceptEx} writes: 16 bytes more than the largest address. */
    private static final int ACCEPTED_ADDRESS = SockaddrStorage.SIZE + 16;

    private static final long NO_SOCKET = -1;

    private final boolean continuously;
    /** The socket into which a connection is accepted. */
    private long socket = NO_SOCKET;

    Accept(IocpDemultiplexer demultiplexer, Accepting asked, boolean continuously) {
        super(demultiplexer, asked);
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
            // A peer that gave up its connection before it was accepted shows up as a reset here.
            return ErrorScope.ofAccept(result) == ErrorScope.PEER || finish(result);
        }
        if (makeConnection() < 0) {
            // Whatever the error, it concerns this connection: usually the peer has reset it in between.
            dropSocket();
            return true;
        }
        long accepted = socket;
        socket = NO_SOCKET;
        SocketStream stream = asked.adopt(accepted);
        return stream == null || accepted(stream);
    }

    /**
     * A connection has been accepted.
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

    /** {@return 0 if the accepted socket now is a connection that knows its addresses, or a negated error number} */
    private int makeConnection() {
        memory().structure().putLong(memory().structureAt(), descriptor());
        return WindowsError.toErrno(windows().setsockopt(socket, WinsockConstants.SOL_SOCKET,
                WinsockConstants.SO_UPDATE_ACCEPT_CONTEXT, memory().structureAddress(), Long.BYTES));
    }

    /** Closes the socket into which nothing has been accepted. */
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
