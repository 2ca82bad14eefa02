package dev.sluice.mechanism.iocp;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Wsabuf;

/** Receives a datagram and its sender's address. */
final class ReceiveFrom extends Datagram {

    /** More than the length of any datagram. */
    static final int SINK_SIZE = 64 * 1024;

    private final long sink;

    /**
     * Makes the request.
     *
     * @param sink {@link #SINK_SIZE} bytes for the rest of datagrams that do not fit, which nobody reads
     */
    ReceiveFrom(OverlappedCalls calls, MemoryBlock sink) {
        super(calls);
        this.sink = sink.address();
    }

    @Override
    long call(IocpOperation operation) {
        OverlappedPool.Block block = operation.block;
        // What does not fit goes elsewhere, since Windows does not report the length of a truncated datagram.
        Wsabuf.set(operation.structure(), operation.vectorAt() + Wsabuf.SIZE, sink, SINK_SIZE);
        return outcome(operation, windows().WSARecvFrom(operation.descriptor(), operation.vector(), 2,
                block.transferredAddress(), block.flagsAddress(), operation.name(), operation.message(),
                block.address(), 0));
    }
}
