package dev.sluice.mechanism.iocp;

import dev.sluice.calls.WindowsError;

/** Sends a part of a file, step by step. */
final class TransmitFile extends OverlappedRequest {

    /** The most that {@code TransmitFile} takes in one call. */
    private static final long MOST_AT_ONCE = Integer.MAX_VALUE - 1;

    TransmitFile(OverlappedCalls calls) {
        super(calls);
    }

    @Override
    long position(IocpOperation operation) {
        return operation.nextPosition();
    }

    @Override
    long call(IocpOperation operation) {
        int result = windows().GetFileSizeEx(operation.fileDescriptor(), operation.structureAddress());
        if (result < 0) {
            return WindowsError.toErrno(result);
        }
        long size = operation.structure().getLong(operation.structureAt());
        // At the end of the file the count is 0, which to TransmitFile would mean the whole file.
        long count = Math.min(operation.bytesLeft(),
                Math.min(size - operation.nextPosition(), MOST_AT_ONCE));
        if (count <= 0) {
            return 0;
        }
        long outcome = outcome(operation, windows().TransmitFile(extensions().transmitFile(),
                operation.association().descriptor(), operation.fileDescriptor(), (int) count, 0,
                operation.block.address(), 0, 0));
        return outcome == 0 ? operation.block.transferredAsKept() : outcome;
    }

    @Override
    boolean completed(IocpOperation operation, long result) {
        if (result < 0) {
            return finish(operation, result);
        }
        operation.moved(result);
        return result > 0 && operation.bytesLeft() > 0 || finish(operation, operation.done());
    }
}
