package dev.sluice.mechanism.iocp;

import dev.sluice.calls.WindowsError;

/** Sends what buffers hold. */
final class Send extends OverlappedRequest {

    /** How many bytes the peer must take when a send has found no room. */
    private static final int SOME = 64 * 1024;

    Send(OverlappedCalls calls) {
        super(calls);
    }

    @Override
    long call(IocpOperation operation) {
        boolean vectored = operation.isVectored();
        long vector = vectored
                ? operation.vector()
                : operation.block.vector(operation.address(), operation.nextLength());
        int count = vectored ? operation.vectorCount() : 1;
        return operation.wantsAll() ? send(operation, vector, count) : sendSome(operation, vector, count);
    }

    private long send(IocpOperation operation, long vector, int count) {
        OverlappedPool.Block block = operation.block;
        return outcome(operation, windows().WSASend(operation.descriptor(), vector, count, block.transferredAddress(),
                0, block.address(), 0));
    }

    /**
     * An overlapped send ends only when everything is sent, so what there is room for is sent by a non-overlapped call.
     */
    private long sendSome(IocpOperation operation, long vector, int count) {
        OverlappedPool.Block block = operation.block;
        int result = windows().WSASend(operation.descriptor(), vector, count, block.transferredAddress(), 0, 0, 0);
        if (result >= 0) {
            return block.transferred();
        }
        if (result != -WindowsError.WSAEWOULDBLOCK) {
            return failure(result);
        }
        boolean vectored = operation.isVectored();
        long address = vectored ? operation.elementAddress(0) : operation.address();
        int length = vectored ? operation.elementLength(0) : operation.nextLength();
        return send(operation, block.vector(address, Math.min(length, SOME)), 1);
    }

    @Override
    long result(IocpOperation operation, long transferred) {
        long result = super.result(operation, transferred);
        if (result < 0) {
            // What was sent before the failure counts.
            operation.moved(transferred);
        }
        return result;
    }
}
