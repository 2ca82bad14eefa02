package dev.sluice.mechanism.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;

/** Reads from a file at a position; Windows reports the end of the file as an error. */
final class Read extends FileTransfer {

    Read(OverlappedCalls calls) {
        super(calls);
    }

    @Override
    int move(IocpOperation operation, long address, int length) {
        return windows().ReadFile(operation.descriptor(), address, length, operation.block.transferredAddress(),
                operation.block.address());
    }

    @Override
    long result(IocpOperation operation, long transferred) {
        return operation.block.status() == Win32Constants.STATUS_END_OF_FILE
                ? 0
                : super.result(operation, transferred);
    }

    @Override
    long failure(int result) {
        return result == -WindowsError.ERROR_HANDLE_EOF ? 0 : super.failure(result);
    }
}
