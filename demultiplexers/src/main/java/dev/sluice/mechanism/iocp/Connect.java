package dev.sluice.mechanism.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.SockaddrIn6;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.WinsockConstants;
import java.nio.ByteBuffer;

/** Connects. */
final class Connect extends OverlappedRequest {

    Connect(OverlappedCalls calls) {
        super(calls);
    }

    @Override
    long call(IocpOperation operation) {
        int result = bindToAny(operation);
        if (result < 0) {
            return result;
        }
        return outcome(operation, windows().ConnectEx(extensions().connectEx(), operation.descriptor(),
                operation.address(), operation.nextLength(), 0, 0, 0, operation.block.address()));
    }

    /** {@code ConnectEx} requires a bound socket. */
    private int bindToAny(IocpOperation operation) {
        ByteBuffer memory = operation.structure();
        int at = operation.structureAt();
        for (int i = 0; i < operation.nextLength(); i++) {
            memory.put(at + i, (byte) 0);
        }
        SockaddrStorage.family(memory, at, operation.nextLength() == SockaddrIn6.SIZE
                ? WinsockConstants.AF_INET6
                : WinsockConstants.AF_INET);
        int result = windows().bind(operation.descriptor(), operation.structureAddress(), operation.nextLength());
        return result == -WindowsError.WSAEINVAL ? 0 : WindowsError.toErrno(result);
    }

    @Override
    boolean completed(IocpOperation operation, long result) {
        return finish(operation, result < 0 ? result : makeConnection(operation));
    }

    /** {@return 0 if the socket now knows that it is connected, or a negated error number} */
    private int makeConnection(IocpOperation operation) {
        return WindowsError.toErrno(windows().setsockopt(operation.descriptor(), WinsockConstants.SOL_SOCKET,
                WinsockConstants.SO_UPDATE_CONNECT_CONTEXT, 0, 0));
    }
}
