package dev.sluice.mechanism.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.calls.WindowsError;

/** Reads from a file or writes to one: element by element, since a call takes one buffer. */
abstract class FileTransfer extends OverlappedRequest {

    FileTransfer(OverlappedCalls calls) {
        super(calls);
    }

    @Override
    final boolean maySkipPackets() {
        return true;
    }

    @Override
    final long position(IocpOperation operation) {
        return operation.nextPosition() + operation.movedBefore;
    }

    @Override
    final long call(IocpOperation operation) {
        long address = operation.isVectored()
                ? operation.elementAddress(operation.element)
                : operation.address();
        return outcome(operation, move(operation, address, length(operation)));
    }

    /** Moves bytes between an address and the file, at the position given in the operation's block. */
    abstract int move(IocpOperation operation, long address, int length);

    /** {@return how many bytes the current call should move} */
    private static int length(IocpOperation operation) {
        return operation.isVectored() ? operation.elementLength(operation.element) : operation.nextLength();
    }

    @Override
    final boolean completed(IocpOperation operation, long result) {
        boolean full = result == length(operation);
        // What has already been moved counts; the error will come again with the next call.
        long sum = operation.movedBefore + (result < 0 && operation.movedBefore > 0 ? 0 : result);
        if (full && ++operation.element < operation.vectorCount()) {
            operation.movedBefore = sum;
            return true;
        }
        operation.reset();
        return super.completed(operation, sum);
    }

    @Override
    long failure(int result) {
        // The file was not opened for that.
        return result == -WindowsError.ERROR_ACCESS_DENIED ? -Errno.EBADF.number() : super.failure(result);
    }
}
