package dev.sluice.mechanism.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.calls.WindowsError;

/** Sends a datagram, to an address or to the peer that the socket is connected to. */
final class SendTo extends Datagram {

    SendTo(OverlappedCalls calls) {
        super(calls);
    }

    @Override
    long call(IocpOperation operation) {
        OverlappedPool.Block block = operation.block;
        return outcome(operation, operation.nameLength() == 0
                ? windows().WSASend(operation.descriptor(), operation.vector(), operation.vectorCount(),
                        block.transferredAddress(), 0, block.address(), 0)
                : windows().WSASendTo(operation.descriptor(), operation.vector(), operation.vectorCount(),
                        block.transferredAddress(), 0, operation.name(), operation.nameLength(), block.address(), 0));
    }

    @Override
    long failure(int result) {
        return result == -WindowsError.WSAENOTCONN ? -Errno.EDESTADDRREQ.number() : super.failure(result);
    }
}
