package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.operation.Arguments;

/** Receives bytes of a stream. */
abstract class ReceiveRequest<A extends Arguments> extends OverlappedRequest<A> {

    ReceiveRequest(IocpDemultiplexer demultiplexer, A arguments) {
        super(demultiplexer, arguments);
    }

    final long receive(long vector, int count) {
        OverlappedPool.Block block = block();
        return outcome(windows().WSARecv(descriptor(), vector, count, block.transferredAddress(),
                block.flagsAddress(), block.address(), 0));
    }

    @Override
    final long failure(int result) {
        // The input has been shut down, which on Unix is the end of the stream.
        return result == -WindowsError.WSAESHUTDOWN ? 0 : super.failure(result);
    }
}
