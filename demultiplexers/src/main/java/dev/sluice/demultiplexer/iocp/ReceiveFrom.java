package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.layout.Wsabuf;
import dev.sluice.demultiplexer.operation.Datagram;

/** Receives a datagram and the address of its sender. */
final class ReceiveFrom extends DatagramRequest {

    /** A size that is larger than any datagram. */
    static final int SINK_SIZE = 64 * 1024;

    ReceiveFrom(IocpDemultiplexer demultiplexer, Datagram arguments) {
        super(demultiplexer, arguments);
    }

    @Override
    long perform() {
        OverlappedPool.Block block = block();
        // The rest is received into the sink, because Windows does not report the length of a truncated datagram.
        Wsabuf.set(memory().structure(), memory().vectorAt() + Wsabuf.SIZE, demultiplexer.sink.address(),
                SINK_SIZE);
        return outcome(windows().WSARecvFrom(descriptor(), memory().vector(), 2,
                block.transferredAddress(), block.flagsAddress(), memory().name(), memory().message(),
                block.address(), 0));
    }
}
