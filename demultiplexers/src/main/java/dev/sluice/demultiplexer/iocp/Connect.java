package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.SockaddrIn6;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.operation.Peer;
import java.nio.ByteBuffer;

/** Connects. */
final class Connect extends OverlappedRequest<Peer> {

    Connect(IocpDemultiplexer demultiplexer, Peer asked) {
        super(demultiplexer, asked);
    }

    @Override
    long perform() {
        int result = bindToAny();
        if (result < 0) {
            return result;
        }
        return outcome(windows().ConnectEx(extensions().connectEx(), descriptor(),
                asked.address(), asked.length(), 0, 0, 0, block().address()));
    }

    /** {@code ConnectEx} requires a bound socket. */
    private int bindToAny() {
        ByteBuffer memory = memory().structure();
        int at = memory().structureAt();
        for (int i = 0; i < asked.length(); i++) {
            memory.put(at + i, (byte) 0);
        }
        SockaddrStorage.family(memory, at, asked.length() == SockaddrIn6.SIZE
                ? WinsockConstants.AF_INET6
                : WinsockConstants.AF_INET);
        int result = windows().bind(descriptor(), memory().structureAddress(), asked.length());
        return result == -WindowsError.WSAEINVAL ? 0 : WindowsError.toErrno(result);
    }

    @Override
    boolean complete(long result) {
        return finish(result < 0 ? result : makeConnection());
    }

    /** {@return 0 if the socket now knows that it is connected, or a negated error number} */
    private int makeConnection() {
        return WindowsError.toErrno(windows().setsockopt(descriptor(), WinsockConstants.SOL_SOCKET,
                WinsockConstants.SO_UPDATE_CONNECT_CONTEXT, 0, 0));
    }
}
