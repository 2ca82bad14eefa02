package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Transfer;

/** Writes to a file at a position. */
final class Write extends FileTransfer {

    Write(OverlappedCalls calls, Transfer asked) {
        super(calls, asked);
    }

    @Override
    int move(long address, int length) {
        return windows().WriteFile(descriptor(), address, length, block().transferredAddress(),
                block().address());
    }
}
