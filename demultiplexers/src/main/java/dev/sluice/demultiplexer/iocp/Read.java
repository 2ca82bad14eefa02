package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.demultiplexer.operation.Transfer;

/** Reads from a file at a position; Windows reports the end of the file as an error. */
final class Read extends FileTransfer {

    Read(OverlappedCalls calls, Transfer asked) {
        super(calls, asked);
    }

    @Override
    int move(long address, int length) {
        return windows().ReadFile(descriptor(), address, length, block().transferredAddress(),
                block().address());
    }

    @Override
    long result(long transferred) {
        return block().status() == Win32Constants.STATUS_END_OF_FILE
                ? 0
                : super.result(transferred);
    }

    @Override
    long failure(int result) {
        return result == -WindowsError.ERROR_HANDLE_EOF ? 0 : super.failure(result);
    }
}
