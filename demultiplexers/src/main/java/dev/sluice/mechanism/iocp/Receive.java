package dev.sluice.mechanism.iocp;

import dev.sluice.calls.WindowsError;

/** Receives into the initiator's buffers. */
class Receive extends OverlappedRequest {

    Receive(OverlappedCalls calls) {
        super(calls);
    }

    @Override
    long call(IocpOperation operation) {
        return operation.isVectored()
                ? receive(operation, operation.vector(), operation.vectorCount())
                : receive(operation, operation.block.vector(operation.address(), operation.nextLength()), 1);
    }

    final long receive(IocpOperation operation, long vector, int count) {
        OverlappedPool.Block block = operation.block;
        return outcome(operation, windows().WSARecv(operation.descriptor(), vector, count, block.transferredAddress(),
                block.flagsAddress(), block.address(), 0));
    }

    @Override
    final long failure(int result) {
        // The receiving half has been shut down: on Unix that reads as the end of the stream.
        return result == -WindowsError.WSAESHUTDOWN ? 0 : super.failure(result);
    }
}
