package dev.sluice.mechanism.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.TransmitFileBuffers;
import dev.sluice.mechanism.operation.TransmittedParts;

/** Sends a part of a file, and what comes before and after it: with one call, or if it is too much, step by step. */
final class TransmitFile extends OverlappedRequest {

    /** The most that {@code TransmitFile} takes in one call, of all parts together. */
    private static final long MOST_AT_ONCE = Integer.MAX_VALUE - 1;
    private static final long NO_FILE = 0;

    TransmitFile(OverlappedCalls calls) {
        super(calls);
    }

    @Override
    long position(IocpOperation operation) {
        return operation.parts().filePosition();
    }

    @Override
    long call(IocpOperation operation) {
        TransmittedParts parts = operation.parts();
        long available = parts.fileLeft() == 0 ? 0 : available(operation, parts);
        if (available < 0) {
            return available;
        }
        long room = MOST_AT_ONCE;
        int head = (int) Math.min(parts.headLeft(), room);
        room -= head;
        int file = (int) Math.min(Math.min(parts.fileLeft(), available), room);
        room -= file;
        int tail = file == parts.fileLeft() ? (int) Math.min(parts.tailLeft(), room) : 0;
        if (head + file + tail == 0) {
            return 0;
        }
        operation.asked = head + file + tail;
        return transmit(operation, parts, head, file, tail);
    }

    /** {@return how much the file has, or a negated error number} */
    private long available(IocpOperation operation, TransmittedParts parts) {
        int result = windows().GetFileSizeEx(operation.fileDescriptor(), operation.structureAddress());
        if (result < 0) {
            return WindowsError.toErrno(result);
        }
        return Math.max(0, operation.structure().getLong(operation.structureAt()) - parts.filePosition());
    }

    private long transmit(IocpOperation operation, TransmittedParts parts, int head, int file, int tail) {
        long buffers = 0;
        if (head + tail > 0) {
            TransmitFileBuffers.set(operation.structure(), operation.structureAt(), parts.headAddress(), head,
                    parts.tailAddress(), tail);
            buffers = operation.structureAddress();
        }
        // For a file, the count 0 would mean all of it.
        long outcome = outcome(operation, windows().TransmitFile(extensions().transmitFile(),
                operation.association().descriptor(), file == 0 ? NO_FILE : operation.fileDescriptor(), file, 0,
                operation.block.address(), buffers, 0));
        return outcome == 0 ? operation.block.transferredAsKept() : outcome;
    }

    @Override
    long result(IocpOperation operation, long transferred) {
        long result = super.result(operation, transferred);
        if (result < 0) {
            // What was sent before the failure counts.
            operation.moved(Math.min(transferred, operation.asked));
        }
        return result;
    }

    @Override
    boolean completed(IocpOperation operation, long result) {
        if (result < 0) {
            return finish(operation, result);
        }
        operation.moved(result);
        return result > 0 && !operation.parts().areSent() || finish(operation, operation.done());
    }
}
