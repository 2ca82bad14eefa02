package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.operation.Transfer;

/** Sends what buffers hold. */
final class Send extends OverlappedRequest<Transfer> {

    /** The number of bytes that the peer must take after a send that would have blocked. */
    private static final int SOME = 64 * 1024;

    Send(IocpDemultiplexer demultiplexer, Transfer asked) {
        super(demultiplexer, asked);
    }

    @Override
    long perform() {
        boolean vectored = asked.isVectored();
        long vector = vectored
                ? memory().vector()
                : block().vector(asked.address(), asked.length());
        int count = vectored ? memory().vectorCount() : 1;
        return asked.wantsAll() ? send(vector, count) : sendSome(vector, count);
    }

    private long send(long vector, int count) {
        OverlappedPool.Block block = block();
        return outcome(windows().WSASend(descriptor(), vector, count, block.transferredAddress(),
                0, block.address(), 0));
    }

    /** An overlapped send ends only when everything is sent, so a non-overlapped call sends what fits. */
    private long sendSome(long vector, int count) {
        OverlappedPool.Block block = block();
        int result = windows().WSASend(descriptor(), vector, count, block.transferredAddress(), 0, 0, 0);
        if (result >= 0) {
            return block.transferred();
        }
        if (result != -WindowsError.WSAEWOULDBLOCK) {
            return failure(result);
        }
        boolean vectored = asked.isVectored();
        long address = vectored ? elementAddress(0) : asked.address();
        int length = vectored ? elementLength(0) : asked.length();
        return send(block.vector(address, Math.min(length, SOME)), 1);
    }

    @Override
    long result(long transferred) {
        long result = super.result(transferred);
        if (result < 0) {
            // What was sent before the failure counts.
            asked.moved(transferred);
        }
        return result;
    }
}
