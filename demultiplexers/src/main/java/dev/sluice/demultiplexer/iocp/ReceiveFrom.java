package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.layout.Wsabuf;
import dev.sluice.demultiplexer.operation.Datagram;

/** Receives a datagram and its sender's address. */
final class ReceiveFrom extends DatagramRequest {

    /** More than the length of any datagram. */
    static final int SINK_SIZE = 64 * 1024;

    ReceiveFrom(IocpDemultiplexer demultiplexer, Datagram asked) {
        super(demultiplexer, asked);
    }

    @Override
    long perform() {
        OverlappedPool.Block block = block();
        // What does not fit goes elsewhere, since Windows does not report the length of a truncated datagram.
        Wsabuf.set(memory().structure(), memory().vectorAt() + Wsabuf.SIZE, demultiplexer.sink.address(),
                SINK_SIZE);
        return outcome(windows().WSARecvFrom(descriptor(), memory().vector(), 2,
                block.transferredAddress(), block.flagsAddress(), memory().name(), memory().message(),
                block.address(), 0));
    }
}
