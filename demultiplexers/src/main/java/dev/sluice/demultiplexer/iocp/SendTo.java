package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.operation.Datagram;

/** Sends a datagram, to an address or to the peer that the socket is connected to. */
final class SendTo extends DatagramRequest {

    SendTo(IocpDemultiplexer demultiplexer, Datagram arguments) {
        super(demultiplexer, arguments);
    }

    @Override
    long perform() {
        OverlappedPool.Block block = block();
        return outcome(memory().nameLength() == 0
                ? windows().WSASend(descriptor(), memory().vector(), memory().vectorCount(),
                        block.transferredAddress(), 0, block.address(), 0)
                : windows().WSASendTo(descriptor(), memory().vector(), memory().vectorCount(),
                        block.transferredAddress(), 0, memory().name(), memory().nameLength(), block.address(), 0));
    }

    @Override
    long failure(int result) {
        return result == -WindowsError.WSAENOTCONN ? -Errno.EDESTADDRREQ.number() : super.failure(result);
    }
}
