package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.operation.Transfer;

/** Sends the bytes of buffers. */
final class Send extends OverlappedRequest<Transfer> {

    /** The maximum number of bytes of an overlapped call of a partial send, after a send that would have blocked. */
    private static final int MAX_PARTIAL_SEND = 64 * 1024;

    Send(IocpDemultiplexer demultiplexer, Transfer arguments) {
        super(demultiplexer, arguments);
    }

    @Override
    long perform() {
        boolean vectored = arguments.isVectored();
        long vector = vectored
                ? memory().vector()
                : block().vector(arguments.address(), arguments.length());
        int count = vectored ? memory().vectorCount() : 1;
        return arguments.wantsAll() ? send(vector, count) : sendSome(vector, count);
    }

    private long send(long vector, int count) {
        OverlappedPool.Block block = block();
        return outcome(windows().WSASend(descriptor(), vector, count, block.transferredAddress(),
                0, block.address(), 0));
    }

    /**
     * Sends as many bytes as fit by a call that is not overlapped, because an overlapped send ends only when all bytes
     * have been sent.
     */
    private long sendSome(long vector, int count) {
        OverlappedPool.Block block = block();
        int result = windows().WSASend(descriptor(), vector, count, block.transferredAddress(), 0, 0, 0);
        if (result >= 0) {
            return block.transferred();
        }
        if (result != -WindowsError.WSAEWOULDBLOCK) {
            return failure(result);
        }
        boolean vectored = arguments.isVectored();
        long address = vectored ? elementAddress(0) : arguments.address();
        int length = vectored ? elementLength(0) : arguments.length();
        return send(block.vector(address, Math.min(length, MAX_PARTIAL_SEND)), 1);
    }

    @Override
    long result(long transferred) {
        long result = super.result(transferred);
        if (result < 0) {
            // Bytes that were sent before the failure count.
            arguments.moved(transferred);
        }
        return result;
    }
}
