package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.operation.Arguments;

/** Receives the bytes of a stream. */
abstract class ReceiveRequest<A extends Arguments> extends OverlappedRequest<A> {

    ReceiveRequest(IocpDemultiplexer demultiplexer, A asked) {
        super(demultiplexer, asked);
    }

    final long receive(long vector, int count) {
        OverlappedPool.Block block = block();
        return outcome(windows().WSARecv(descriptor(), vector, count, block.transferredAddress(),
                block.flagsAddress(), block.address(), 0));
    }

    @Override
    final long failure(int result) {
        // The receiving half has been shut down: on Unix that reads as the end of the stream.
        return result == -WindowsError.WSAESHUTDOWN ? 0 : super.failure(result);
    }
}
