package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.SockaddrIn6;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.operation.Peer;
import java.nio.ByteBuffer;

/** Connects a stream socket. */
final class Connect extends OverlappedRequest<Peer> {

    Connect(IocpDemultiplexer demultiplexer, Peer arguments) {
        super(demultiplexer, arguments);
    }

    @Override
    long perform() {
        int result = bindToAny();
        if (result < 0) {
            return result;
        }
        return outcome(windows().ConnectEx(extensions().connectEx(), descriptor(),
                arguments.address(), arguments.length(), 0, 0, 0, block().address()));
    }

    /** Binds the socket to any address, unless it is bound, because {@code ConnectEx} requires that. */
    private int bindToAny() {
        ByteBuffer memory = memory().structure();
        int at = memory().structureAt();
        for (int i = 0; i < arguments.length(); i++) {
            memory.put(at + i, (byte) 0);
        }
        SockaddrStorage.family(memory, at, arguments.length() == SockaddrIn6.SIZE
                ? WinsockConstants.AF_INET6
                : WinsockConstants.AF_INET);
        int result = windows().bind(descriptor(), memory().structureAddress(), arguments.length());
        return result == -WindowsError.WSAEINVAL ? 0 : WindowsError.toErrno(result);
    }

    @Override
    boolean complete(long result) {
        return finish(result < 0 ? result : makeConnection());
    }

    /** {@return 0 after making the socket an ordinary connection, or a negated error number} */
    private int makeConnection() {
        return WindowsError.toErrno(windows().setsockopt(descriptor(), WinsockConstants.SOL_SOCKET,
                WinsockConstants.SO_UPDATE_CONNECT_CONTEXT, 0, 0));
    }
}
