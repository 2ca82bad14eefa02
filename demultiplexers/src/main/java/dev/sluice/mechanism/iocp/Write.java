package dev.sluice.mechanism.iocp;

/** Writes to a file at a position. */
final class Write extends FileTransfer {

    Write(OverlappedCalls calls) {
        super(calls);
    }

    @Override
    int move(IocpOperation operation, long address, int length) {
        return windows().WriteFile(operation.descriptor(), address, length, operation.block.transferredAddress(),
                operation.block.address());
    }
}
